import { describe, expect, test } from 'vitest';
import { fileFor } from '../../../src-main/app/app-protocol';
import { closeChromiumExits } from '../../../src-main/app/chromium-exits';
import { CONTENT_SECURITY_POLICY } from '../../../src-main/app/content-policy';

describe('the window', () => {
  test('P2: the content policy is exactly this one', () => {
    expect(CONTENT_SECURITY_POLICY).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
        "worker-src 'self'; form-action 'none'; base-uri 'none'; frame-src 'none'; frame-ancestors 'none'; object-src 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  test('P2: Chromium can resolve nothing, has a dead proxy, and loses the switches that would undo it', () => {
    const switches = new Map<string, string>([['host-resolver-rules', 'MAP * 1.2.3.4']]);
    let sandboxed = false;
    closeChromiumExits({
      commandLine: {
        appendSwitch: (name: string, value = '') => void switches.set(name, value),
        removeSwitch: (name: string) => void switches.delete(name),
      },
      enableSandbox: () => (sandboxed = true),
      on: () => undefined,
    } as never);
    expect(switches.get('host-resolver-rules')).toBe('MAP * ~NOTFOUND');
    expect(switches.get('proxy-server')).toBe('socks5://127.0.0.1:9');
    expect(switches.get('force-webrtc-ip-handling-policy')).toBe('disable_non_proxied_udp');
    expect(switches.get('disable-features')).toContain('WebRtcHideLocalIpsWithMdns');
    expect(sandboxed).toBe(true);
  });
});

describe('app://', () => {
  const folder = '/opt/portcullis/renderer';
  const served: [url: string, path: string][] = [
    ['app://portcullis/', `${folder}/index.html`],
    ['app://portcullis/index.html', `${folder}/index.html`],
    ['app://portcullis/assets/app.js?x=1', `${folder}/assets/app.js`],
  ];
  test.each(served)('serves %s', (url, path) => {
    expect(fileFor('GET', url, folder)).toBe(path);
  });

  const refused: [method: string, url: string, because: string][] = [
    ['POST', 'app://portcullis/index.html', 'only reading'],
    ['GET', 'app://other/index.html', 'another host'],
    ['GET', 'https://portcullis/index.html', 'another scheme'],
    ['GET', 'app://portcullis/..%2f..%2fmain/main.js', 'an encoded way up'],
    ['GET', 'app://portcullis/%5c..%5cmain.js', 'backslashes'],
    ['GET', 'app://portcullis/a%00.html', 'a NUL'],
    ['GET', 'app://portcullis/%', 'a broken escape'],
    ['GET', 'not an address', 'no address at all'],
  ];
  test.each(refused)('does not serve %s %s (%s)', (method, url) => {
    expect(fileFor(method, url, folder)).toBeNull();
  });
});
