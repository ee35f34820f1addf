import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isRunning } from '../test/support/processes';

/** Running processes of this user whose command line holds `words`, this one aside. */
export function processesWith(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isRunning(pid) && commandLineOf(pid).includes(words));
}

/** How the kernel restricts the calls of a process: 2 is a seccomp filter. */
export function seccompOf(pid: number): string | undefined {
  return /^Seccomp:\s*(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
}

export function networkNamespaceOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
