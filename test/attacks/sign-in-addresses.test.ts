import { describe, expect, test } from 'vitest';
import { addressProblem } from '../../src-main/egress/dialled-address';
import { checkSignInAddress, isIssuerAsked, isResourceOf } from '../../src-shared/oauth/address-rule';
import { readCallback } from '../../src-shared/oauth/callback-rule';
import { readChallenge, readScope } from '../../src-shared/oauth/challenge-rule';

describe('H1: an address that a server chose for the browser', () => {
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://evil.example/share',
    'data:text/html,<script>alert(1)</script>',
    'vscode://evil.example/run',
    'ms-msdt:/id',
    'ssh://-oProxyCommand=id/x',
    'ftp://evil.example/',
    'about:blank',
    'view-source:https://evil.example/',
    'https:evil.example',
    'https:\\\\evil.example',
    ' https://evil.example/',
    'https://evil.example/$(id)\n',
    'https://me:pw@evil.example/',
    'http://evil.example/authorize',
    'http://127.1/authorize',
    '-https://evil.example',
    '',
  ])('H1, K2: %j is refused', (address) => {
    expect(checkSignInAddress(address, true).ok).toBe(false);
  });

  test('H1, K2: signs of a shell in a query are text of the address and nothing else', () => {
    const checked = checkSignInAddress('https://login.example/authorize?x=`id`;$(id)|calc.exe&y="', true);
    expect(checked).toMatchObject({ ok: true, value: { origin: 'https://login.example' } });
  });
});

describe('X25: metadata that points inwards', () => {
  test.each([
    'http://127.0.0.1:9000/meta',
    'https://localhost/meta',
    'https://127.0.0.1/meta',
    'https://[::1]/meta',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/meta',
  ])('X25, K2: a server elsewhere does not get %s read', (address) => {
    expect(checkSignInAddress(address, true).ok).toBe(false);
  });

  test.each(['169.254.169.254', '10.0.0.1', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1', 'fe80::1', '::ffff:169.254.169.254'])(
    'X25, K2, E7: a sign-in host that leads to %s is not dialled',
    (address) => {
      expect(addressProblem('login.example', address, { leaves: true })).toMatchObject({ code: 'EGRESS_ADDRESS_REFUSED' });
    },
  );

  test('X25: the challenge of a server is read as data, with nothing but its known members', () => {
    const challenge = readChallenge('Bearer resource_metadata="https://a.example/m", resource_metadata="https://evil.example/"');
    expect(challenge.resourceMetadata).toBe('https://a.example/m');
    expect(readChallenge(`Bearer ${'a='.repeat(20_000)}`)).toEqual({ resourceMetadata: null, scope: null, error: null });
    expect(readScope('read\nwrite')).toBeNull();
  });
});

describe('H14: a token for the wrong place', () => {
  test.each<[issuer: string, asked: string, same: boolean]>([
    ['https://login.example', 'https://login.example/', true],
    ['https://login.example/tenant', 'https://login.example/tenant', true],
    ['https://login.example.evil.example', 'https://login.example', false],
    ['https://LOGIN.example/tenant', 'https://login.example/tenant', false],
    ['https://login.example/tenant/', 'https://login.example/tenant', false],
    ['https://login.example/other', 'https://login.example/tenant', false],
    ['http://login.example', 'https://login.example', false],
    ['https://login.example:8443', 'https://login.example', false],
  ])('H14, K1: the issuer %s, when %s was asked, is the same: %s', (issuer, asked, same) => {
    expect(isIssuerAsked(issuer, asked)).toBe(same);
  });

  test.each<[resource: string, of: boolean]>([
    ['https://mcp.example.com', true],
    ['https://mcp.example.com/v1', true],
    ['https://mcp.example.com/v1/mcp', true],
    ['https://mcp.example.com/v1/mcp/other', false],
    ['https://mcp.example.com/v', false],
    ['https://mcp.example.com.evil.example/', false],
    ['https://evil.example/v1/mcp', false],
    ['http://mcp.example.com/v1/mcp', false],
    ['https://mcp.example.com:444/v1/mcp', false],
    ['https://mcp.example.com/v1/mcp#x', false],
    ['mcp.example.com', false],
  ])('H14, K1: %s is a resource of the server: %s', (resource, of) => {
    expect(isResourceOf(resource, 'https://mcp.example.com/v1/mcp')).toBe(of);
  });
});

describe('X20: a callback that others reach first', () => {
  test.each([
    'https://127.0.0.1:8765/callback',
    'http://0.0.0.0:8765/callback',
    'http://192.168.1.2:8765/callback',
    'http://localhost.evil.example:8765/callback',
    'http://127.1:8765/callback',
    'http://127.0.0.1:8765/callback?x=1',
    'http://127.0.0.1:8765/callback#x',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:70000/callback',
    'http://me@127.0.0.1:8765/callback',
  ])('X20, K5: %s is no place to listen', (address) => {
    expect(readCallback(address).ok).toBe(false);
  });
});
