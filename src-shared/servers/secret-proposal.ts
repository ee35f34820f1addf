import { changesWhatRuns } from './launch-rule';
import type { DraftValue } from './server.schema';

const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW(?:OR)?D|CREDENTIAL|AUTHORIZATION|COOKIE/i;
const SECRET_OPTION = /^--?(?:[\w-]+-)?(?:token|api-?key|access-?key|secret|secret-key|password|passwd)$/i;

/** Whether a value under this name is proposed as a secret. Names that change what runs never are (T1). */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name) && !changesWhatRuns(name);

/** A value as the review first shows it. A placeholder stays in sight, because someone has yet to fill it in. */
export function proposeValue(name: string, value: string): DraftValue {
  const secret = looksSecret(name) && value !== '' && !/^\$\{[^}]*\}$/.test(value);
  return secret ? { kind: 'new-secret', value } : { kind: 'literal', value };
}

/** Arguments, with those behind `--token` and its kin proposed as secrets. */
export function proposeArguments(args: readonly string[]): DraftValue[] {
  return args.map((value, index) => {
    const option = args[index - 1] ?? '';
    const inline = /^(--?[\w-]+)=./.exec(value)?.[1] ?? '';
    const secret = SECRET_OPTION.test(inline) || (SECRET_OPTION.test(option) && value !== '' && !value.startsWith('-'));
    return secret && !value.includes('${') ? { kind: 'new-secret', value } : { kind: 'literal', value };
  });
}
