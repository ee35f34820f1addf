import { BlockList, isIP, isIPv6 } from 'node:net';
import { AddressRefusedError } from './egress-errors';

/** A loopback address in the two forms that a route on this computer is dialled at. */
export const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const;

type Subnet = [net: string, prefix: number];

const WORDS = {
  'this computer': 'an address on this computer',
  'private network': 'an address inside a private network',
  'local link': 'an address of the network this computer is plugged into',
  reserved: 'an address that is not on the public internet',
};

const SUBNETS: Record<keyof typeof WORDS, Subnet[]> = {
  'this computer': [
    ['0.0.0.0', 8],
    ['127.0.0.0', 8],
    ['::', 127],
  ],
  'private network': [
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['fc00::', 7],
    ['fec0::', 10],
  ],
  'local link': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
  ],
  // Documentation, benchmarks, multicast, and the ranges that wrap or translate to another address.
  reserved: [
    ['::', 96],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['5f00::', 16],
    ['ff00::', 8],
  ],
};

const LISTS = Object.entries(SUBNETS).map(([kind, subnets]) => {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4');
  return { where: WORDS[kind as keyof typeof WORDS], list };
});

/** What a route leads to. */
export interface RouteReach {
  readonly leaves: boolean;
  /** The user's own yes to addresses inside a private network and of the local link (E7). */
  readonly privateNetwork?: boolean | undefined;
}

const NEEDS_OWN_YES: readonly string[] = [WORDS['private network'], WORDS['local link']];

/**
 * Says why a route of this kind is not for `address`, or null. One that leaves: public addresses, and private ones where
 * the user said so; else: 127.0.0.1 and ::1 only (E4, E7).
 */
export function addressProblem(
  host: string,
  address: string,
  { leaves, privateNetwork }: RouteReach,
): AddressRefusedError | null {
  const plain = withoutMapping(address);
  if (!leaves) {
    const loopback = LOOPBACK_ADDRESSES.some((known) => known.address === plain);
    return loopback ? null : new AddressRefusedError(host, address, 'an address outside this computer');
  }
  if (isIP(plain) === 0) return new AddressRefusedError(host, address, WORDS.reserved);
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
  const found = LISTS.find(({ list }) => list.check(plain, family));
  if (!found) return null;
  const needsOwnYes = NEEDS_OWN_YES.includes(found.where);
  return needsOwnYes && privateNetwork ? null : new AddressRefusedError(host, address, found.where, needsOwnYes);
}

/** Whether this is an address, and one that needs the user's own yes (E7). */
export const isPrivateAddress = (host: string): boolean =>
  isIP(host) !== 0 && addressProblem(host, host, { leaves: true })?.isPrivateNetwork === true;

/** `::ffff:10.0.0.1` reaches 10.0.0.1, however it is spelt. Scope ids are cut off. */
function withoutMapping(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%', 1);
  const dotted = /^(?:0*:)*:?:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (dotted) return dotted;
  const hex = /^(?:0*:)*:?:?ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain);
  if (!hex) return plain;
  const bytes = [hex[1], hex[2]].flatMap((pair) => {
    const value = Number.parseInt(pair ?? '', 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}
