import { expect, test } from 'vitest';
import { BrowserLinks } from '../../../src-main/egress/browser-links';
import { openLedger } from '../../../src-main/egress/ledger';
import type { Route } from '../../../src-shared/egress/egress.schema';
import { BROWSER_LINK_ROUTE_ID, buildRouteTable } from '../../../src-shared/egress/route-table';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

interface SetUp {
  /** What the table says while an address is open; by default what the app’s own table says. */
  routes?: (own: Route[]) => readonly Route[];
  handOver?: (address: string) => Promise<boolean>;
}

function setUp({ routes = (own) => own, handOver = async () => true }: SetUp = {}) {
  const ledger = openLedger({ folder: tempFolder(), name: 'ledger', key: null, clock: new FakeClock() });
  const handed: string[] = [];
  const seen: (string | undefined)[] = [];
  const table = (): Route[] =>
    buildRouteTable({ models: [], servers: [], keychainState: 'absent', openingLink: links.opening() });
  const links: BrowserLinks = new BrowserLinks({
    ledger,
    routes: () => routes(table()),
    changed: () => void seen.push(links.opening()),
    handOver: (address) => {
      handed.push(address);
      return handOver(address);
    },
  });
  const linkRoute = (): Route | undefined => table().find(({ id }) => id === BROWSER_LINK_ROUTE_ID);
  return { ledger, links, handed, seen, linkRoute };
}

const address = 'https://login.example.com/authorize?state=s3cret&code_challenge=c#part';

test('P1, P4: an address is handed over as it was shown, and stands in the ledger by its host alone', async () => {
  const { ledger, links, handed } = setUp();
  expect(await links.open(address, 'chat-1')).toBe(true);
  expect(handed).toEqual([address]);
  const [row] = ledger.rows(10);
  expect(row).toMatchObject({ routeId: BROWSER_LINK_ROUTE_ID, host: 'login.example.com', method: 'open', outcome: 'answered' });
  expect(row).toMatchObject({ conversation: 'chat-1', bytesOut: 0, bytesIn: 0 });
  expect(JSON.stringify(row)).not.toMatch(/s3cret|authorize|part/);
});

test('P1: the route is open for that one host, and closed before and after', async () => {
  const during: (Route | undefined)[] = [];
  const set = setUp({
    handOver: async () => {
      during.push(set.linkRoute());
      return true;
    },
  });
  expect(set.linkRoute()).toMatchObject({ on: false, leaves: true });
  await set.links.open(address);
  await set.links.open('http://127.0.0.1:3000/done');
  expect(during).toMatchObject([
    { on: true, where: 'login.example.com', leaves: true, origin: null },
    { on: true, where: '127.0.0.1:3000', leaves: false, origin: null },
  ]);
  expect(set.linkRoute()).toMatchObject({ on: false });
  expect(set.seen).toEqual(['https://login.example.com', undefined, 'http://127.0.0.1:3000', undefined]);
});

const spellings: [address: string, host: string][] = [
  ['https://LOGIN.example.com:443/a', 'login.example.com'],
  ['https://login.example.com:8443/a?b', 'login.example.com:8443'],
  ['https://b\u00fccher.example/', 'xn--bcher-kva.example'],
  ['http://[::1]:3000/', '[::1]:3000'],
];
test.each(spellings)('P1: however %s is spelled, its route is that of %s', async (spelled, host) => {
  const { ledger, links } = setUp();
  expect(await links.open(spelled)).toBe(true);
  expect(ledger.rows(10)).toMatchObject([{ host, outcome: 'answered' }]);
});

const closed: [how: string, routes: NonNullable<SetUp['routes']>][] = [
  ['is not in the table', (own) => own.filter(({ id }) => id !== BROWSER_LINK_ROUTE_ID)],
  ['is off', (own) => own.map((route) => ({ ...route, on: false }))],
  ['is open for another host', (own) => own.map((route) => ({ ...route, where: 'other.example.com' }))],
];
test.each(closed)('P1: where the route %s, nothing is opened, and the ledger says so', async (_how, routes) => {
  const { ledger, links, handed } = setUp({ routes });
  expect(await links.open(address)).toBe(false);
  expect(handed).toEqual([]);
  expect(ledger.rows(10)).toMatchObject([{ host: 'login.example.com', outcome: 'refused' }]);
});

const unfit: [address: string, because: string][] = [
  ['http://login.example.com/', 'not encrypted'],
  ['file:///etc/passwd', 'no web address'],
  ['javascript:alert(1)', 'a script'],
  ['https://user:pw@login.example.com/', 'a password in it'],
  ['https://login.example.com/ --flag', 'a blank, which a command line would cut at'],
  ['https://login.example.com/\n', 'a line break'],
  ['', 'nothing'],
];
test.each(unfit)('K2: %s is not handed over (%s)', async (unfitAddress) => {
  const { ledger, links, handed } = setUp();
  expect(await links.open(unfitAddress)).toBe(false);
  expect(handed).toEqual([]);
  expect(ledger.rows(10)).toEqual([]);
});

test('P4: what the ledger cannot tell of does not happen', async () => {
  const { ledger, links, handed } = setUp();
  ledger.recordAttempt = () => {
    throw new Error('The disk is full.');
  };
  expect(await links.open(address)).toBe(false);
  expect(handed).toEqual([]);
});

test('P4: that no browser took it is told, and the next address is opened all the same', async () => {
  const { ledger, links } = setUp({ handOver: async (given) => given !== address });
  const both = await Promise.all([links.open(address), links.open('https://other.example.com/')]);
  expect(both).toEqual([false, true]);
  expect(ledger.rows(10)).toMatchObject([{ outcome: 'answered' }, { outcome: 'failed' }]);
});
