/** What programs need from this computer to work at all. No key or token is among them: those are named entry by entry. */
const INHERITED_POSIX = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];
const INHERITED_WINDOWS = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

export interface Variable {
  name: string;
  value: string;
}

/** The variables of this computer a program inherits, less those its entry sets itself (B08). */
export function baseEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  configured: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Variable[] {
  const windows = platform === 'win32';
  const same = (name: string) => (windows ? name.toUpperCase() : name);
  const wanted = new Set(windows ? INHERITED_WINDOWS : INHERITED_POSIX);
  for (const name of configured) wanted.delete(same(name));
  const inherited: Variable[] = [];
  for (const [name, value] of Object.entries(hostEnv)) {
    // A value that is a shell function would be run by the next bash.
    if (value === undefined || value.startsWith('()') || !wanted.delete(same(name))) continue;
    inherited.push({ name, value });
  }
  return inherited.sort((one, other) => (one.name < other.name ? -1 : 1));
}
