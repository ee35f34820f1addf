import type { App, Session } from 'electron';

/** Where our own page lives. Nothing else is ever loaded. */
export const APP_ORIGIN = 'app://portcullis';

/** A proxy nobody listens on: what is left of Chromium's network runs into a wall. */
const DEAD_PROXY = 'socks5://127.0.0.1:9';

/** A switch that undoes one of ours, or opens a way in. */
const REMOVED_SWITCHES = [
  'host-rules',
  'host-resolver-rules',
  'proxy-server',
  'proxy-pac-url',
  'proxy-bypass-list',
  'no-proxy-server',
  'ignore-certificate-errors',
  'disable-web-security',
  'log-net-log',
];

const SWITCHES: [name: string, value?: string][] = [
  // Upper case: Chromium then resolves nothing at all, address literals and loopback included.
  ['host-resolver-rules', 'MAP * ~NOTFOUND'],
  ['proxy-server', DEAD_PROXY],
  ['proxy-bypass-list', '<-loopback>'],
  ['force-webrtc-ip-handling-policy', 'disable_non_proxied_udp'],
  [
    'disable-features',
    'WebRtcHideLocalIpsWithMdns,MediaRouter,DialMediaRouteProvider,OptimizationHints,AutofillServerCommunication,CertificateTransparencyComponentUpdater,Translate',
  ],
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['disable-sync'],
  ['no-pings'],
  ['disable-breakpad'],
  ['disable-quic'],
];

/** Writing plain text to the clipboard, after a click: the one thing a page of ours needs to be permitted. */
const COPYING = 'clipboard-sanitized-write';

/** Closes every way Chromium itself has out of the computer (P2). Runs before `ready`, or some come too late. */
export function closeChromiumExits(app: App): void {
  for (const name of REMOVED_SWITCHES) app.commandLine.removeSwitch(name);
  for (const [name, value] of SWITCHES) app.commandLine.appendSwitch(name, ...(value === undefined ? [] : [value]));
  app.enableSandbox();
  app.on('session-created', (session) => session.setSpellCheckerLanguages([]));
}

/**
 * The same for what exists only once the app is ready. Everything that answers at once stands before this returns, so a
 * window can be made meanwhile; its page must wait for the promise.
 */
export async function closeSessionExits(app: App, session: Session): Promise<void> {
  app.configureHostResolver({ secureDnsMode: 'off', enableBuiltInResolver: false, enableAdditionalDnsQueryTypes: false });
  const deadEnd = { mode: 'fixed_servers', proxyRules: DEAD_PROXY, proxyBypassRules: '<-loopback>' } as const;
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerDictionaryDownloadURL('app://nowhere/');
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === COPYING));
  session.setPermissionCheckHandler((_contents, permission) => permission === COPYING);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOwnAddress(details.url) }));
  session.on('will-download', (event) => event.preventDefault());
  await Promise.all([app.setProxy(deadEnd), session.setProxy(deadEnd)]);
}

function isOwnAddress(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith('data:') || url.startsWith(`blob:${APP_ORIGIN}/`);
}
