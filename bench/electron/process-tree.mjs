import { readFileSync, readdirSync } from 'node:fs';

/** Every process below `pid` and itself, with what it is and its share of memory in bytes: null where this user is not let look. */
export function processTree(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(entry);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const pids = [pid];
  for (const each of pids) pids.push(...(children.get(each) ?? []));
  return pids.flatMap((each) => {
    try {
      return [{ pid: each, name: nameOf(each), pssBytes: pssOf(each) }];
    } catch (error) {
      // Ended since it was listed.
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
      throw error;
    }
  });
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function nameOf(pid) {
  const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const value = (name) => new RegExp(`--${name}=([^\\0 ]+)`).exec(line)?.[1];
  return (
    value('utility-sub-type') ??
    value('type') ??
    (line.startsWith('/proc/self/exe') || line.includes('electron') ? 'browser' : line.split('\0')[0])
  );
}

function pssOf(pid) {
  try {
    return pssIn(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  } catch (error) {
    // Chromium's sandbox hides its processes from everyone but root.
    if (error.code === 'EACCES') return null;
    throw error;
  }
}

function pssIn(text) {
  const found = /^Pss:\s+(\d+) kB$/m.exec(text);
  return found ? Number(found[1]) * 1024 : 0;
}
