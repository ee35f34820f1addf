// Starts another app in its place and notes when what happened, in milliseconds since this process was made.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const { PORTCULLIS_BENCH_APP: folder, PORTCULLIS_BENCH_MARKS: marksFile } = process.env;
const SETTLED_MS = 1000;

const marks = {};
const mark = (name) => (marks[name] ??= Date.now() - process.getCreationTime());

mark('firstLine');
app.once('ready', () => mark('ready'));
app.once('browser-window-created', (_event, window) => {
  mark('windowCreated');
  const { webContents } = window;
  webContents.once('did-start-loading', () => mark('pageStarted'));
  webContents.once('dom-ready', () => mark('domReady'));
  webContents.once('did-finish-load', () => mark('pageLoaded'));
  noteFirstView(webContents);
  window.once('ready-to-show', () => {
    mark('readyToShow');
    setTimeout(writeMarks, SETTLED_MS);
  });
});

/** The window's first own data: what it draws before is an empty frame. */
function noteFirstView(webContents) {
  const send = webContents.send.bind(webContents);
  webContents.send = (...message) => {
    mark('firstView');
    send(...message);
  };
}

// Renamed into place, so that whoever waits for the file never reads a half of it.
function writeMarks() {
  writeFileSync(`${marksFile}.part`, JSON.stringify(marks));
  renameSync(`${marksFile}.part`, marksFile);
}

const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setAppPath(folder);
const before = performance.now();
await import(pathToFileURL(join(folder, main)).href);
marks.mainImport = performance.now() - before;
