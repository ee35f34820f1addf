import type { LaunchPlan } from '../../src-shared/approvals/approval.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { changesWhatRuns } from '../../src-shared/servers/launch-rule';
import type { Connection, SecretRef, StoredVariable } from '../../src-shared/servers/server.schema';
import {
  type Expanded,
  expandTemplate,
  hidesValue,
  type LookUp,
  placeInWords,
  readTemplate,
  type VariablePlace,
  type VariableReference,
} from '../../src-shared/servers/variables-rule';

type ShownValue = Extract<LaunchPlan, { kind: 'stdio' }>['args'][number];
type ShownVariable = NonNullable<LaunchPlan['variables']>[number];

export interface VariableParts {
  readSecret(ref: SecretRef): Result<string, 'missing' | 'locked'>;
  hostEnv: Readonly<Record<string, string | undefined>>;
}

/** One value filled in: what is passed on, and what is shown of it. */
export interface FilledIn {
  readonly text: string;
  readonly shown: ShownValue;
}

/** Fills the variables of one entry in, once, and keeps account of what came from where (S6). */
export class LaunchVariables {
  readonly #connection: Connection;
  readonly #parts: VariableParts;
  readonly #listed: ShownVariable[] = [];
  readonly #approved: string[][] = [];
  readonly #hidden = new Set<string>();

  constructor(connection: Connection, parts: VariableParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  /** Each variable that was used, for the review. */
  get listed(): ShownVariable[] {
    return this.#listed;
  }

  /** Names, places and the values in sight: what an approval stands for beside the entry itself (T2). */
  get approved(): readonly (readonly string[])[] {
    return this.#approved;
  }

  /** Values that are to be masked like secrets (S5). */
  get hidden(): string[] {
    return [...this.#hidden];
  }

  readonly lookUp: LookUp = (reference) => {
    if (reference.kind === 'env') {
      const value = this.#parts.hostEnv[reference.name];
      return typeof value === 'string' ? ok(value) : failed('unset');
    }
    const input = this.#connection.inputs?.find(({ key }) => key === reference.key)?.value;
    if (input?.kind === 'secret') return this.#parts.readSecret(input.ref);
    return input && input.value !== '' ? ok(input.value) : failed('missing');
  };

  /** A text of the entry that is not a value of its own: the command or the folder. */
  fillText(text: string, place: VariablePlace): Result<FilledIn, string> {
    const expanded = expandTemplate(text, place, this.lookUp);
    if (!expanded.ok) return expanded;
    this.note(expanded.value.used, place);
    return ok({ text: expanded.value.text, shown: shownText(text, expanded.value, place) });
  }

  fillValue(value: StoredVariable, place: VariablePlace): Result<FilledIn, string> {
    switch (value.kind) {
      case 'literal':
        return this.fillText(value.value, place);
      case 'inherit':
        return this.#inherit(place);
      case 'secret': {
        const secret = this.#parts.readSecret(value.ref);
        if (secret.ok) return ok({ text: secret.value, shown: { kind: 'secret' } });
        return failed(
          secret.problem === 'locked'
            ? `The secret for ${placeInWords(place)} is locked. Unlock the keychain of this computer, then choose Retry.`
            : `The secret for ${placeInWords(place)} is missing. Enter it again in the settings of this server.`,
        );
      }
    }
  }

  /** Takes what was used at one place into the account. */
  note(used: Expanded['used'], place: VariablePlace): void {
    for (const { reference, value, byDefault } of used) {
      const hides = !byDefault && hidesValue(reference, place);
      if (hides && value !== '') this.#hidden.add(value);
      // What stands on a command line decides what runs, shown or not, so another value there is another launch.
      const inSight = hides && place.kind !== 'argument' ? [] : [value];
      this.#approved.push([placeInWords(place), reference.kind, keyOf(reference), ...inSight]);
      this.#listed.push({
        name: toVisibleText(keyOf(reference)),
        from: byDefault ? 'default' : reference.kind === 'env' ? 'this-computer' : 'keychain',
        usedIn: placeInWords(place),
        value: hides ? { kind: 'hidden' } : { kind: 'shown', value: toVisibleText(value) },
      });
    }
  }

  #inherit(place: VariablePlace): Result<FilledIn, string> {
    const name = place.kind === 'variable' ? place.name : '';
    const reference: VariableReference = { kind: 'env', name, fallback: null };
    const value = this.#parts.hostEnv[name];
    if (typeof value !== 'string') {
      return failed(
        `The variable ${name} is to be passed on from this computer, and is not set here. Set it and start this app again, or enter a value.`,
      );
    }
    if (/[\r\n\0]/.test(value)) {
      return failed(
        `The variable ${name} of this computer holds a line end or a NUL character, so it is not passed on. Change its value.`,
      );
    }
    const shows = changesWhatRuns(name) || !hidesValue(reference, place);
    this.note([{ reference, value, byDefault: false }], place);
    return ok({ text: value, shown: shows ? { kind: 'shown', value: toVisibleText(value) } : { kind: 'hidden' } });
  }
}

const keyOf = (reference: VariableReference): string => (reference.kind === 'env' ? reference.name : reference.key);

/** The text as it will be, with the name of each hidden variable in the place of its value. */
function shownText(text: string, { used }: Expanded, place: VariablePlace): ShownValue {
  let nth = 0;
  const pieces = readTemplate(text).map((piece) => {
    if (piece.kind === 'text') return piece.raw;
    const variable = used[nth++];
    return !variable || (!variable.byDefault && hidesValue(variable.reference, place)) ? piece.raw : variable.value;
  });
  return { kind: 'shown', value: toVisibleText(pieces.join('')) };
}
