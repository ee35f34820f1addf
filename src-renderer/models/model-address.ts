import { checkModelEndpoint } from '../../src-shared/models/model-rule';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import { HOST_WARNINGS } from '../../src-shared/servers/host-script';

export type AddressAdvice =
  | { kind: 'nothing-yet' }
  | { kind: 'problem'; text: string }
  | { kind: 'fits'; host: string; leaves: boolean; warning: string | null };

const BEGINNINGS = ['http://', 'https://'];

/** What to say while an address is being typed. The beginning of one is not yet a mistake. */
export function adviseAddress(typed: string): AddressAdvice {
  const text = typed.trim();
  if (BEGINNINGS.some((beginning) => beginning.startsWith(text.toLowerCase()))) return { kind: 'nothing-yet' };
  const checked = checkModelEndpoint(text);
  if (!checked.ok) return { kind: 'problem', text: checked.problem };
  const endpoint = checkEndpoint(checked.value);
  if (!endpoint.ok) return { kind: 'nothing-yet' };
  const { host, leaves, warning } = endpoint.value;
  return { kind: 'fits', host, leaves, warning: warning && HOST_WARNINGS[warning] };
}

/** Whether saving would move the model to another address, which turns it off and drops its key. */
export function isOtherAddress(before: string, typed: string): boolean {
  const checked = checkModelEndpoint(typed.trim());
  return (checked.ok ? checked.value : typed.trim()) !== before;
}
