import { unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { makeFolder, realPathIfThere } from './private-folder';

/** Editors and atomic writers make several events of one save. */
const SETTLE_MS = 50;
const POLL_MS = 1_000;

/** Calls `changed` a moment after the file, or the file behind a link, was written, replaced or removed. Keeps no process alive. */
export function watchForChanges(file: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS).unref();
  };
  makeFolder(dirname(file));
  const stops = [...new Set([file, realPathIfThere(file)])].map((path) => watchPath(path, soon));
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

function watchPath(path: string, changed: () => void): () => void {
  let watcher: FSWatcher;
  try {
    // The folder, not the file: a rename over the file would leave a file watcher on the old one.
    watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(path)) changed();
    });
  } catch {
    // The system has run out of watches.
    return pollPath(path, changed);
  }
  let stop = () => watcher.close();
  watcher.on('error', () => {
    watcher.close();
    stop = pollPath(path, changed);
  });
  return () => stop();
}

function pollPath(path: string, changed: () => void): () => void {
  watchFile(path, { persistent: false, interval: POLL_MS }, changed);
  return () => unwatchFile(path, changed);
}
