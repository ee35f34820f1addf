import { looksSecret } from './secret-names';
import type { DraftValue } from './server.schema';
import { holdsVariable } from './variables-rule';

const SECRET_OPTION = /^--?(?:[\w-]+-)?(?:token|api-?key|access-?key|secret|secret-key|password|passwd)$/i;

/** A value as the review first shows it. A variable stays in sight: what it stands for is not in the entry (S6). */
export function proposeValue(name: string, value: string): DraftValue {
  const secret = looksSecret(name) && value !== '' && !holdsVariable(value);
  return secret ? { kind: 'new-secret', value } : { kind: 'literal', value };
}

/** What can make a second command of a text, where a shell reads it. Such an argument is never hidden in a review (T1). */
const COMPOSES = /[\s;&|`()<>]/;

/** Arguments, with those behind `--token` and its kin proposed as secrets. */
export function proposeArguments(args: readonly string[]): DraftValue[] {
  return args.map((value, index) => {
    const option = args[index - 1] ?? '';
    const inline = /^(--?[\w-]+)=./.exec(value)?.[1] ?? '';
    const secret = SECRET_OPTION.test(inline) || (SECRET_OPTION.test(option) && value !== '' && !value.startsWith('-'));
    return secret && !holdsVariable(value) && !COMPOSES.test(value) ? { kind: 'new-secret', value } : { kind: 'literal', value };
  });
}

const SECRET_QUERY = /^(?:sig|signature|pass|pwd|auth|code)$/i;

/** An address in which each query value under a secret-looking name became `${input:name}`, with what stood there; null when none did (S5). */
export function proposeAddress(endpoint: string): { endpoint: string; inputs: { key: string; value: string }[] } | null {
  const at = endpoint.indexOf('?');
  if (at < 0) return null;
  const inputs: { key: string; value: string }[] = [];
  const query = endpoint
    .slice(at + 1)
    .split('&')
    .map((pair) => {
      const [, name = '', value = ''] = /^([A-Za-z_][A-Za-z0-9_.-]{0,127})=(.+)$/.exec(pair) ?? [];
      const known = inputs.some(({ key }) => key === name);
      if (value === '' || known || holdsVariable(value) || !(looksSecret(name) || SECRET_QUERY.test(name))) return pair;
      const plain = decoded(value);
      if (plain === null) return pair;
      inputs.push({ key: name, value: plain });
      return `${name}=\${input:${name}}`;
    });
  return inputs.length === 0 ? null : { endpoint: `${endpoint.slice(0, at)}?${query.join('&')}`, inputs };
}

/** A query value as the server reads it: it is encoded again when it is put back. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
