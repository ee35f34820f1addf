import { expect, test } from 'vitest';
import {
  checkSignInAddress,
  isIssuerAsked,
  isResourceOf,
  type SignInAddressProblem,
} from '../../../src-shared/oauth/address-rule';

const accepted: [address: string, serverLeaves: boolean, because: string][] = [
  ['https://login.example.com/authorize?a=1', true, 'https elsewhere'],
  ['https://login.example.com/', false, 'a server on this computer whose sign-in host is not'],
  ['http://127.0.0.1:9/authorize', false, 'loopback for a loopback server'],
  ['http://localhost:9/', false, 'loopback by name'],
  ['http://[::1]:9/', false, 'loopback over IPv6'],
];
test.each(accepted)('K2: accepts %s (server leaves: %s, %s)', (address, serverLeaves) => {
  expect(checkSignInAddress(address, serverLeaves)).toEqual({ ok: true, value: new URL(address) });
});

const rejected: [address: string, serverLeaves: boolean, problem: SignInAddressProblem][] = [
  ['http://127.0.0.1:9/authorize', true, 'this-computer'],
  ['https://localhost/authorize', true, 'this-computer'],
  ['http://login.example.com/', true, 'not-encrypted'],
  ['http://169.254.169.254/latest', false, 'not-encrypted'],
  ['http://127.1/', false, 'not-encrypted'],
  ['file:///etc/passwd', false, 'unusable'],
  ['javascript:alert(1)', true, 'unusable'],
  ['smb://evil.example/share', true, 'unusable'],
  ['http:$(calc.exe)/', false, 'unusable'],
  ['https://user:word@login.example.com/', true, 'unusable'],
  ['https://login.example.com/#a', true, 'unusable'],
  ['', true, 'unusable'],
];
test.each(rejected)('K2: rejects %s (server leaves: %s) as %s', (address, serverLeaves, problem) => {
  expect(checkSignInAddress(address, serverLeaves)).toEqual({ ok: false, problem });
});

const resources: [resource: string, endpoint: string, isOf: boolean, because: string][] = [
  ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp', true, 'itself'],
  ['https://mcp.example.com', 'https://mcp.example.com/mcp', true, 'its origin, without a slash'],
  ['https://mcp.example.com/', 'https://mcp.example.com/mcp', true, 'its origin, with one'],
  ['https://mcp.example.com/a', 'https://mcp.example.com/a/b', true, 'a path above'],
  ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp', true, 'a slash more'],
  ['https://mcp.example.com/mc', 'https://mcp.example.com/mcp', false, 'half a name'],
  ['https://mcp.example.com/mcp/deeper', 'https://mcp.example.com/mcp', false, 'a path below'],
  ['https://other.example.com/mcp', 'https://mcp.example.com/mcp', false, 'another host'],
  ['https://mcp.example.com:8443/mcp', 'https://mcp.example.com/mcp', false, 'another port'],
  ['http://mcp.example.com/mcp', 'https://mcp.example.com/mcp', false, 'another scheme'],
  ['https://mcp.example.com/mcp#part', 'https://mcp.example.com/mcp', false, 'RFC 8707 2: no fragment'],
  ['mcp', 'https://mcp.example.com/mcp', false, 'no address'],
  [`https://mcp.example.com/${'a'.repeat(2048)}`, `https://mcp.example.com/${'a'.repeat(2048)}`, false, 'too long to send'],
];
test.each(resources)('K1: resource %s of %s: %s (%s)', (resource, endpoint, isOf) => {
  expect(isResourceOf(resource, endpoint)).toBe(isOf);
});

const issuers: [issuer: string, asked: string, isAsked: boolean, because: string][] = [
  ['https://a.example.com', 'https://a.example.com', true, 'the same'],
  ['https://a.example.com/', 'https://a.example.com', true, 'a bare origin with its slash'],
  ['https://a.example.com', 'https://a.example.com/', true, 'a bare origin without it'],
  ['https://a.example.com/t/', 'https://a.example.com/t', false, 'a path is compared as it is'],
  ['https://a.example.com/t', 'https://a.example.com', false, 'a tenant of the same host'],
  ['https://b.example.com', 'https://a.example.com', false, 'another host'],
  ['HTTPS://A.example.com', 'https://a.example.com', false, 'letters count'],
  ['', 'https://a.example.com', false, 'nothing'],
];
test.each(issuers)('K1: issuer %s for %s: %s (%s)', (issuer, asked, isAsked) => {
  expect(isIssuerAsked(issuer, asked)).toBe(isAsked);
});
