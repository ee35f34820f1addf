import type { ReactNode } from 'react';
import type { LaunchFlag, LaunchPlan, VisibleText } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { Visible } from '../ui/Code';
import { Icon } from '../ui/Icon';
import styles from './Launch.module.css';

type Program = Extract<LaunchPlan, { kind: 'stdio' }>;
type Address = Extract<LaunchPlan, { kind: 'http' }>;
type ShownValue = Program['args'][number];

const TOOLS_SENTENCE = 'Listed after the first look. None is offered to a chat until you have ticked it.';

function Value({ value }: { value: ShownValue }) {
  if (value.kind === 'shown') return <Visible text={value.value} />;
  if (value.kind === 'hidden') return <span className={styles.secret}>not shown, from this computer</span>;
  return (
    <span className={styles.secret}>
      <Icon name="key" /> a secret, from the keychain
    </span>
  );
}

/** One part of what runs, on its own line, with what is remarkable about it. */
function Part({
  at,
  flags,
  aside,
  children,
}: {
  at: ReactNode;
  flags: readonly LaunchFlag[];
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={flags.length > 0 ? styles.commandFlag : undefined}>
      <span className={styles.commandAt}>{at}</span>
      <span className={styles.commandWord}>{children}</span>
      <span className={styles.commandAside}>
        {flags.map((flag) => (
          <span key={flag.text} className={styles.flag}>
            <Icon name="warning" />
            {flag.text}
          </span>
        ))}
        {aside}
      </span>
    </li>
  );
}

function flagsOf(plan: LaunchPlan, fits: (on: LaunchFlag['on']) => boolean): LaunchFlag[] {
  return plan.flags.filter((flag) => fits(flag.on));
}

const sameText = (one: VisibleText, other: VisibleText): boolean => visibleToString(one) === visibleToString(other);

const FROM: Record<NonNullable<LaunchPlan['variables']>[number]['from'], string> = {
  'this-computer': 'from this computer',
  default: 'the default in the entry, for it is not set',
  keychain: 'a secret, from the keychain',
};

/** Each variable that is filled in: its name, where it goes, and who receives it (S6). */
function Variables({ plan, to }: { plan: LaunchPlan; to: string }) {
  if (!plan.variables || plan.variables.length === 0) return null;
  return (
    <>
      <dt>Filled in</dt>
      <dd>
        <ul className={styles.variables} aria-label="Filled in">
          {plan.variables.map((variable, index) => (
            <Part key={index} at={<Visible text={variable.name} />} flags={[]} aside={`into ${variable.usedIn}, for ${to}`}>
              {variable.value.kind === 'shown' && (
                <>
                  <Visible text={variable.value.value} />,{' '}
                </>
              )}
              {FROM[variable.from]}
            </Part>
          ))}
        </ul>
      </dd>
    </>
  );
}

export function LaunchProgram({ plan }: { plan: Program }) {
  const found = sameText(plan.command, plan.realPath) ? 'the full path, as entered' : `found as ${visibleToString(plan.command)}`;
  return (
    <>
      <p>This program will run on this computer, with your rights. It can use the network by itself:</p>
      <ol className={styles.command} aria-label="Command">
        <Part at="run" flags={flagsOf(plan, (on) => on.kind === 'command')} aside={found}>
          <b>
            <Visible text={plan.realPath} />
          </b>
        </Part>
        {plan.args.map((arg, index) => (
          <Part key={index} at={`arg ${index + 1}`} flags={flagsOf(plan, (on) => on.kind === 'argument' && on.index === index)}>
            <Value value={arg} />
          </Part>
        ))}
      </ol>
      <dl className={styles.review}>
        <dt>In</dt>
        <dd>
          <code>
            <Visible text={plan.cwd} />
          </code>
        </dd>
        <dt>Environment</dt>
        <dd>
          {plan.env.length === 0 && <span>It gets no variables.</span>}
          {plan.env.length > 0 && (
            <ul className={styles.variables} aria-label="Environment">
              {plan.env.map((variable) => {
                const name = visibleToString(variable.name);
                return (
                  <Part
                    key={name}
                    at={<Visible text={variable.name} />}
                    flags={flagsOf(plan, (on) => on.kind === 'variable' && on.name === name)}
                    aside={variable.from === 'this-computer' ? 'from this computer' : null}
                  >
                    <Value value={variable.value} />
                  </Part>
                );
              })}
            </ul>
          )}
        </dd>
        <Variables plan={plan} to="this program" />
        <dt>Tools</dt>
        <dd>{TOOLS_SENTENCE}</dd>
      </dl>
    </>
  );
}

export function LaunchAddress({ plan, leaves }: { plan: Address; leaves: boolean }) {
  return (
    <>
      <p>
        {leaves
          ? 'This address will be contacted. What you allow leaves this computer:'
          : 'Another program on this computer will be contacted:'}
      </p>
      <p className={styles.host}>
        <bdi dir="ltr">{plan.host}</bdi>
      </p>
      <dl className={styles.review}>
        <dt>Address</dt>
        <dd>
          <code className={styles.address}>
            <Visible text={plan.address} />
          </code>
          {flagsOf(plan, (on) => on.kind === 'command').map((flag) => (
            <span key={flag.text} className={styles.flag}>
              <Icon name="warning" />
              {flag.text}
            </span>
          ))}
        </dd>
        <dt>Headers</dt>
        <dd>
          {plan.headers.length === 0 && <span>None of your own.</span>}
          {plan.headers.length > 0 && (
            <ul className={styles.variables} aria-label="Headers">
              {plan.headers.map((header) => (
                <Part
                  key={header.name}
                  at={header.name}
                  flags={flagsOf(plan, (on) => on.kind === 'variable' && on.name === header.name)}
                >
                  <Value value={header.value} />
                </Part>
              ))}
            </ul>
          )}
        </dd>
        <Variables plan={plan} to={plan.host} />
        <dt>Tools</dt>
        <dd>{TOOLS_SENTENCE}</dd>
      </dl>
    </>
  );
}
