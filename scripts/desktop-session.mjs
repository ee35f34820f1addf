// A desktop of our own: display, session bus and unlocked keyring, none of them the user's.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './steps.mjs';

// With PORTCULLIS_FRAMES what the display shows stands in a file beside it, for whoever watches the app from outside.
// The keyring lives in a folder of its own, so the user's real one is neither opened nor written.
const SESSION = `
printf password | XDG_DATA_HOME="$XDG_RUNTIME_DIR/data" gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
keyring=$!
trap 'kill $keyring 2>/dev/null' EXIT
for attempt in $(seq 100); do
  dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null | grep -q true && break
  sleep 0.05
done
xvfb-run -a -s "-screen 0 $PORTCULLIS_SCREEN -nolisten tcp \${PORTCULLIS_FRAMES:+-fbdir $XDG_RUNTIME_DIR}" "$@"
`;

const THE_USERS = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'GNOME_KEYRING_CONTROL',
  'ELECTRON_RUN_AS_NODE',
];

/** Runs a program in a desktop session of its own and gives its exit code. Elsewhere than on Linux the user's own desktop is used. */
export async function inDesktopSession(command, args, env = process.env) {
  if (process.platform !== 'linux') return run(command, args, { env });
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-session-'));
  const session = { PORTCULLIS_SCREEN: '1440x960x24', ...env, XDG_RUNTIME_DIR: folder, XDG_SESSION_TYPE: 'x11' };
  for (const name of THE_USERS) delete session[name];
  try {
    return await runAsGroup('dbus-run-session', ['--', 'bash', '-c', SESSION, 'session', command, ...args], session);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// dbus-run-session passes no signal on, so the session is a process group that is ended as one.
function runAsGroup(command, args, env) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', detached: true });
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group is gone already.
      }
    };
    const onInterrupt = () => end('SIGTERM');
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onInterrupt);
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
      end('SIGTERM');
      done(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}
