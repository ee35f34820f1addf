import { CONTENT_SECURITY_POLICY } from '../../src-main/app/content-policy';
import { expect, test } from '../harness';
import { networkNamespaceOf, seccompOf } from '../processes';

test.describe('P2: the window has no way out', () => {
  test('P2: the page comes with the content policy, word for word', async ({ app }) => {
    const policy = await app.window.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
    expect(policy).toBe(CONTENT_SECURITY_POLICY);
  });

  test('P2: a page script can neither make code nor find Node', async ({ app }) => {
    const found = await app.window.evaluate(
      () =>
        // Code that a debugger runs is let off the policy; what a timer runs later is not.
        new Promise<Record<string, string>>((done) =>
          setTimeout(() => {
            const attempt = (act: () => unknown): string => {
              try {
                return String(act());
              } catch (error) {
                return error instanceof Error ? error.name : 'thrown';
              }
            };
            const inline = (): string => {
              const script = document.createElement('script');
              script.text = 'window.inlineRan = true';
              document.head.append(script);
              return String('inlineRan' in window);
            };
            done({
              eval: attempt(() => Reflect.get(window, 'eval')('1 + 1')),
              maker: attempt(() => Reflect.get(window, 'Function')('return 1')()),
              inline: attempt(inline),
              require: typeof Reflect.get(window, 'require'),
              process: typeof Reflect.get(window, 'process'),
              opener: attempt(() => window.open('https://example.com')),
            });
          }),
        ),
    );
    expect(found).toEqual({
      eval: 'EvalError',
      maker: 'EvalError',
      inline: 'TypeError',
      require: 'undefined',
      process: 'undefined',
      opener: 'null',
    });
  });

  test('P2: the page cannot be led away, and opens no second window', async ({ app }) => {
    const { window } = app;
    const before = window.url();
    await window.evaluate(() => {
      location.href = 'https://example.com/';
    });
    await window.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'https://example.com/';
      link.target = '_blank';
      document.body.append(link);
      link.click();
      link.remove();
    });
    await window.waitForTimeout(500);
    // Playwright waits for the end of a navigation that was refused, so main is asked instead.
    const after = await app.ask(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows().map((each) => each.webContents);
      const stands = await contents[0]?.executeJavaScript("document.querySelector('main') !== null");
      return { urls: contents.map((each) => each.getURL()), stands: stands as unknown };
    });
    expect(after).toEqual({ urls: [before], stands: true });
  });

  const addresses: [address: string, because: string][] = [
    ['https://example.com/', 'another host'],
    ['http://127.0.0.1:80/', 'this computer'],
    ['file:///etc/hostname', 'a file'],
    ['app://elsewhere/index.html', 'our scheme with another host'],
  ];
  for (const [address, because] of addresses) {
    test(`P2, H5: the page cannot fetch ${address} (${because})`, async ({ app }) => {
      const outcome = await app.window.evaluate(
        (url) =>
          fetch(url).then(
            (response) => `answered ${response.status}`,
            (error: Error) => error.name,
          ),
        address,
      );
      expect(outcome).toBe('TypeError');
    });
  }

  test('P2: every permission is denied', async ({ app }) => {
    const answers = await app.window.evaluate(async () => {
      const state = async (name: string): Promise<string> =>
        (await navigator.permissions.query({ name: name as PermissionName })).state;
      const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'given',
        () => 'denied',
      );
      return [await state('geolocation'), await state('notifications'), await state('camera'), Notification.permission, media];
    });
    expect(answers).toEqual(['denied', 'denied', 'denied', 'denied', 'denied']);
  });
});

test('P2: the two pipes are all that the page was given', async ({ app }) => {
  expect(await app.window.evaluate(() => Object.keys(window.host).sort())).toEqual(['call', 'subscribe']);
});

test('P2: the page runs in a sandbox: its calls are filtered and its network is another one than the app has', async ({
  app,
}) => {
  const renderer = await app.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId());
  expect(renderer).toBeGreaterThan(1);
  expect(seccompOf(renderer ?? 0)).toBe('2');
  expect(networkNamespaceOf(renderer ?? 0)).not.toBe(networkNamespaceOf(app.pid));
});

test('P9: a second start ends at once and raises the window there is', async ({ app }) => {
  expect(await app.startSecond()).toBe(0);
  expect(app.electron.windows()).toHaveLength(1);
  await expect(app.window.getByRole('main')).toBeVisible();
});
