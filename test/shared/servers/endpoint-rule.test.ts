import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkEndpoint,
  ENDPOINT_ADVICE,
  type EndpointProblem,
  leavesThisComputer,
} from '../../../src-shared/servers/endpoint-rule';

const accepted: [endpoint: string, because: string][] = [
  ['https://mcp.example.com', 'HTTPS to a remote host, no path'],
  ['https://mcp.example.com/v1', 'HTTPS with a path'],
  ['https://mcp.example.com:8443/v1?team=a%20b', 'a port and a query with codes'],
  ['https://mcp.example.com?team=a', 'a query right after the host'],
  ['HTTPS://MCP.Example.COM/V1', 'capitals in scheme and host'],
  ['https://10.0.0.5/mcp', 'a private address over HTTPS'],
  ['https://[2001:db8::1]:8443/mcp', 'an IPv6 address over HTTPS'],
  ['https://localhost:8443/', 'this computer over HTTPS'],
  ['https://mcp.example.com/@scope/name', 'an @ in the path is no user name'],
  ['https://mcp.example.com/a:b', 'a colon in the path is no port'],
  ['https://mcp.example.com:1/', 'the lowest port'],
  ['https://mcp.example.com:65535/', 'the highest port'],
  ['http://localhost', 'this computer, by name'],
  ['http://localhost:3000/mcp', 'this computer, with a port'],
  ['http://LOCALHOST:3000/mcp', 'this computer, in capitals'],
  ['http://localhost?x=1', 'a query right after the loopback name'],
  ['http://127.0.0.1:11434/v1', 'this computer, over IPv4'],
  ['http://[::1]/', 'this computer, over IPv6'],
  ['http://[::1]:65535/', 'this computer, over IPv6 with a port'],
];
test.each(accepted)('E1: accepts %s (%s)', (endpoint) => {
  expect(checkEndpoint(endpoint).ok).toBe(true);
});

const rejected: [endpoint: string, problem: EndpointProblem][] = [
  ['', 'not-a-url'],
  ['mcp.example.com', 'not-a-url'],
  ['//mcp.example.com', 'not-a-url'],
  ['https://', 'not-a-url'],
  ['https:///path', 'not-a-url'],
  ['https://?x', 'not-a-url'],
  [' https://mcp.example.com', 'not-a-url'],
  ['https://mcp.example.com ', 'not-a-url'],
  ['https://mcp.exa\tmple.com', 'not-a-url'],
  ['https://mcp.example.com/a\nb', 'not-a-url'],
  ['https://mcp.example.com/\u0000', 'not-a-url'],
  ['https://mcp.exa\u00admple.com', 'not-a-url'],
  ['https://mcp.exa\u200bmple.com', 'not-a-url'],
  ['https://good.example\\.evil.example/', 'not-a-url'],
  ['https://good.example\\evil', 'not-a-url'],
  ['https://[::1', 'not-a-url'],
  ['https://a..b:x/', 'bad-port'],
  ['file:///etc/passwd', 'unsupported-scheme'],
  ['ftp://mcp.example.com', 'unsupported-scheme'],
  ['ws://localhost:3000', 'unsupported-scheme'],
  ['javascript:alert(1)', 'unsupported-scheme'],
  ['data:text/html,x', 'unsupported-scheme'],
  ['localhost:3000', 'unsupported-scheme'],
  ['http:localhost', 'unsupported-scheme'],
  ['http:/localhost', 'unsupported-scheme'],
  ['http:\\\\localhost', 'unsupported-scheme'],
  ['https:mcp.example.com', 'unsupported-scheme'],
  ['http://mcp.example.com/', 'not-encrypted'],
  ['http://localhost.example.com/', 'not-encrypted'],
  ['http://localhost./', 'not-encrypted'],
  ['http://127.0.0.1.example.com/', 'not-encrypted'],
  ['http://example.localhost/', 'not-encrypted'],
  ['http://127.1:3000/', 'not-encrypted'],
  ['http://127.0.0.2/', 'not-encrypted'],
  ['http://127.0.0.01/', 'not-encrypted'],
  ['http://2130706433/', 'not-encrypted'],
  ['http://0x7f000001/', 'not-encrypted'],
  ['http://0x7f.0.0.1/', 'not-encrypted'],
  ['http://0177.0.0.1/', 'not-encrypted'],
  ['http://0.0.0.0/', 'not-encrypted'],
  ['http://[::]/', 'not-encrypted'],
  ['http://[::ffff:7f00:1]/', 'not-encrypted'],
  ['http://[::ffff:127.0.0.1]/', 'not-encrypted'],
  ['http://[0:0:0:0:0:0:0:1]/', 'not-encrypted'],
  ['http://[::0001]/', 'not-encrypted'],
  ['http://１２７.0.0.1/', 'not-encrypted'],
  ['http://127。0。0。1/', 'not-encrypted'],
  ['http://ⓛocalhost/', 'not-encrypted'],
  ['http://locaꞁhost/', 'not-encrypted'],
  ['http://local\u00adhost/', 'not-encrypted'],
  ['http://[::1%25lo]/', 'encoded-host'],
  ['http://localhos%74/', 'encoded-host'],
  ['http://%6cocalhost:3000/', 'encoded-host'],
  ['https://ex%61mple.com/', 'encoded-host'],
  ['http://localhost:0/', 'bad-port'],
  ['http://localhost:65536/', 'bad-port'],
  ['http://localhost:003000/', 'bad-port'],
  ['https://mcp.example.com:0/', 'bad-port'],
  ['https://mcp.example.com:99999/', 'bad-port'],
  ['https://mcp.example.com:/', 'bad-port'],
  ['https://mcp.example.com:+443/', 'bad-port'],
  ['https://[2001:db8::1]:70000/', 'bad-port'],
  ['http://localhost:/', 'not-encrypted'],
  ['https://user:pw@mcp.example.com/', 'credentials-in-url'],
  ['https://user@mcp.example.com/', 'credentials-in-url'],
  ['https://@mcp.example.com/', 'credentials-in-url'],
  ['http://localhost@evil.example/', 'credentials-in-url'],
  ['http://localhost:80@evil.example/', 'credentials-in-url'],
  ['https://good.example\\@evil.example/', 'credentials-in-url'],
  ['https://mcp.example.com/#x', 'fragment-in-url'],
  ['https://mcp.example.com#', 'fragment-in-url'],
  ['http://localhost#@evil.example', 'fragment-in-url'],
  [`https://mcp.example.com/${'a'.repeat(2048)}`, 'too-long'],
];
test.each(rejected)('E1: rejects %j as %s', (endpoint, problem) => {
  expect(checkEndpoint(endpoint)).toEqual({ ok: false, problem });
});

test('E1: what is accepted over http is dialled at exactly one of three hosts', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ validSchemes: ['http'] }),
        fc.string().map((text) => `http://${text}`),
      ),
      (text) => {
        const checked = checkEndpoint(text);
        if (checked.ok) expect(['localhost', '127.0.0.1', '[::1]']).toContain(checked.value.url.hostname);
      },
    ),
  );
});

describe('what is stored and shown', () => {
  const shown: [typed: string, address: string, host: string][] = [
    ['https://mcp.example.com', 'https://mcp.example.com', 'mcp.example.com'],
    ['https://MCP.Example.com:8443/V1?Q=a', 'https://mcp.example.com:8443/V1?Q=a', 'mcp.example.com:8443'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x', 'xn--bcher-kva.example'],
    ['https://１２７.0.0.1/', 'https://127.0.0.1/', '127.0.0.1'],
    ['https://0x7f.1/', 'https://127.0.0.1/', '127.0.0.1'],
  ];
  test.each(shown)('E1: %s stands as %s', (typed, address, host) => {
    const checked = checkEndpoint(typed);
    expect(checked).toMatchObject({ ok: true, value: { address, host } });
    expect(checkEndpoint(address)).toMatchObject({ ok: true, value: { address, host } });
  });

  const warned: [typed: string, warning: string | null, because: string][] = [
    ['https://mcp.example.com', null, 'plain'],
    ['https://bücher.example', 'international', 'one alphabet'],
    ['https://почта.example', 'international', 'all Cyrillic'],
    ['https://例え.example', 'international', 'Han with Hiragana'],
    ['https://xn--bcher-kva.example', 'international', 'already in ASCII form'],
    ['https://pаypal.example', 'mixed-script', 'a Cyrillic a among Latin letters'],
    ['https://xn--pypal-4ve.example', 'mixed-script', 'the same, already in ASCII form'],
    ['https://аррӏе.example', 'mixed-script', 'Cyrillic letters that all look Latin'],
    ['https://gοοgle.example', 'mixed-script', 'Greek o among Latin letters'],
    ['https://docs.pаypal.example', 'mixed-script', 'in a later label'],
  ];
  test.each(warned)('E1: %s is warned of as %s (%s)', (typed, warning) => {
    expect(checkEndpoint(typed)).toMatchObject({ ok: true, value: { warning } });
  });
});

const http = (endpoint: string) => ({ kind: 'http' as const, endpoint, headers: [] });
const leaving: [connection: Parameters<typeof leavesThisComputer>[0], leaves: boolean, because: string][] = [
  [{ kind: 'stdio', command: 'node', args: [], env: [] }, false, 'a program here'],
  [http('http://localhost:3000'), false, 'loopback by name'],
  [http('http://127.0.0.1'), false, 'loopback over IPv4'],
  [http('http://[::1]:8080'), false, 'loopback over IPv6'],
  [http('https://localhost'), false, 'loopback over HTTPS'],
  [http('https://mcp.example.com'), true, 'a remote host'],
  [http('https://localhost.'), true, 'a name that goes through DNS'],
  [http('https://10.0.0.1'), true, 'another computer nearby'],
  [http('http://mcp.example.com'), true, 'an address that is refused'],
  [http(''), true, 'no address at all'],
];
test.each(leaving)('E3: %j leaves this computer: %s (%s)', (connection, leaves) => {
  expect(leavesThisComputer(connection)).toBe(leaves);
});

test('every problem has advice without codes or blame', () => {
  for (const advice of Object.values(ENDPOINT_ADVICE)) expect(advice).toMatch(/^[A-Z][^!]+\.$/);
});
