import { failed, ok, type Result } from '../base/result';
import { type CheckedEndpoint, checkEndpoint, ENDPOINT_ADVICE, MAX_ENDPOINT_LENGTH } from './endpoint-rule';
import { expandTemplate, holdsVariable, type LookUp, nameOf, readTemplate, type Expanded } from './variables-rule';

const IN_HOST =
  'A variable cannot be part of a host. Let it stand for the whole beginning, such as ${MY_SERVER}/mcp, or put it behind the host.';
const NOT_AN_ORIGIN =
  'must hold the beginning of an address alone, such as https://mcp.example.com, with nothing behind the host.';

/** An address as it stands in an entry: what comes before the path, and the rest with its variables. */
interface AddressParts {
  readonly origin: string;
  readonly rest: string;
}

function splitAddress(text: string): Result<AddressParts, string> {
  const [first, ...others] = readTemplate(text);
  if (first?.kind === 'variable') {
    const rest = others.map(({ raw }) => raw).join('');
    return rest === '' || /^[/?]/.test(rest) ? ok({ origin: first.raw, rest }) : failed(IN_HOST);
  }
  const origin = /^[^/?#]*:[/\\]{2}[^/?#\\]*/.exec(text)?.[0] ?? text;
  return holdsVariable(origin) ? failed(IN_HOST) : ok({ origin, rest: text.slice(origin.length) });
}

/** Judges an address before its variables are known (S6, E1). Comes back as it is to be stored. */
export function checkAddressTemplate(text: string): Result<string, string> {
  if (!holdsVariable(text)) {
    const checked = checkEndpoint(text);
    return checked.ok ? ok(checked.value.address) : failed(ENDPOINT_ADVICE[checked.problem]);
  }
  if (text.length > MAX_ENDPOINT_LENGTH) return failed(ENDPOINT_ADVICE['too-long']);
  const parts = splitAddress(text);
  if (!parts.ok) return parts;
  const { origin, rest } = parts.value;
  const isVariable = holdsVariable(origin);
  const filled = readTemplate(rest)
    .map((piece) => (piece.kind === 'text' ? piece.raw : 'x'))
    .join('');
  const checked = checkEndpoint(`${isVariable ? 'https://mcp.example.com' : origin}${filled}`);
  if (!checked.ok) return failed(ENDPOINT_ADVICE[checked.problem]);
  return ok(isVariable ? text : `${checked.value.url.protocol}//${checked.value.host}${rest}`);
}

export interface ExpandedAddress {
  readonly checked: CheckedEndpoint;
  readonly origin: Expanded['used'];
  readonly rest: Expanded['used'];
}

/** Fills the variables in and judges what comes out exactly as a typed address is judged (S6, E1). */
export function expandAddress(text: string, lookUp: LookUp): Result<ExpandedAddress, string> {
  const parts = holdsVariable(text) ? splitAddress(text) : ok({ origin: text, rest: '' });
  if (!parts.ok) return parts;
  const origin = expandTemplate(parts.value.origin, { kind: 'origin' }, lookUp);
  if (!origin.ok) return origin;
  const [variable] = origin.value.used;
  const start = variable ? origin.value.text.replace(/\/$/, '') : origin.value.text;
  if (variable && !/^https?:\/\/[^/?#\s\\]+$/i.test(start)) return failed(`${nameOf(variable.reference)} ${NOT_AN_ORIGIN}`);
  const rest = expandTemplate(parts.value.rest, { kind: 'address' }, lookUp, oneSegment);
  if (!rest.ok) return rest;
  const checked = checkEndpoint(`${start}${rest.value.text}`);
  if (!checked.ok) return failed(ENDPOINT_ADVICE[checked.problem]);
  return ok({ checked: checked.value, origin: origin.value.used, rest: rest.value.used });
}

/** A value stays inside the part of the path or query it was put in: it opens no other, and climbs nowhere. */
function oneSegment(value: string): string | null {
  if (value === '.' || value === '..') return null;
  try {
    return encodeURIComponent(value);
  } catch {
    return null;
  }
}

/**
 * What of an address can be told before it is contacted, and shown: its variables are left out, with the part of the path
 * that holds the first of them. `origin` is known once a variable origin was filled in. Null while it is not.
 */
export function plainAddress(text: string, origin: string | null): string | null {
  if (!holdsVariable(text)) return text;
  const parts = splitAddress(text);
  if (!parts.ok) return null;
  const start = origin ?? (holdsVariable(parts.value.origin) ? null : parts.value.origin);
  if (start === null) return null;
  let path = '';
  for (const piece of readTemplate(parts.value.rest)) {
    if (piece.kind === 'variable') return `${start}${path.slice(0, path.lastIndexOf('/') + 1)}`;
    const query = piece.raw.indexOf('?');
    if (query >= 0) return `${start}${path}${piece.raw.slice(0, query)}`;
    path += piece.raw;
  }
  return `${start}${path}`;
}
