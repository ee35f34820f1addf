import { Field, Input, TextArea } from '../ui/Field';
import { Segmented } from '../ui/Segmented';

interface OwnProof {
  proof: 'secret' | 'key';
  clientId: string;
  secret: string;
}

/** What the app signs in with where no person does: a client id, and a secret or a private key. */
export function SignsInItself({ typed, change }: { typed: OwnProof; change(part: Partial<OwnProof>): void }) {
  return (
    <>
      <p>This app signs in by itself with what you enter here. No browser opens, and each host is shown to you before.</p>
      <Field label="Client id">
        {(control) => (
          <Input {...control} mono value={typed.clientId} onChange={(event) => change({ clientId: event.target.value })} />
        )}
      </Field>
      <Segmented
        label="Proven by"
        value={typed.proof}
        options={[
          ['secret', 'A client secret'],
          ['key', 'A private key'],
        ]}
        onChange={(proof) => change({ proof, secret: '' })}
      />
      {typed.proof === 'secret' ? (
        <Field label="Client secret" help="Kept with your secrets. Enter it again to save a change.">
          {(control) => (
            <Input
              {...control}
              mono
              type="password"
              value={typed.secret}
              onChange={(event) => change({ secret: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <Field label="Private key" help="As PEM, without a passphrase. Kept with your secrets. Enter it again to save a change.">
          {(control) => (
            <TextArea {...control} mono value={typed.secret} onChange={(event) => change({ secret: event.target.value })} />
          )}
        </Field>
      )}
    </>
  );
}
