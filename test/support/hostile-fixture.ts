import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const fixtures = resolve(import.meta.dirname, '../fixtures/hostile');

/** One line of what an HTTP fixture saw. */
export interface SeenRequest {
  method: string;
  path: string;
  authorization: string | null;
  session: string | null;
  protocol: string | null;
  lastEventId: string | null;
  rpc: string | null;
  body: string;
}

export const programFile = (id: string): string => join(fixtures, `${id}.mjs`);

/** True for a fixture that listens; every other one is a program that speaks over its pipes. */
export const isOverHttp = (id: string): boolean => /\b(?:listen|oauth)\(/.test(readFileSync(programFile(id), 'utf8'));

/** What an HTTP fixture saw, oldest first. */
export const seenAt = async (url: string): Promise<SeenRequest[]> =>
  (await (await fetch(new URL('/stats', url))).json()) as SeenRequest[];

/** An HTTP fixture as a process of its own, once it says where it listens; it ends with the test. */
export async function listening(
  id: string,
  { mode = '', env = {} }: { mode?: string; env?: Record<string, string> },
): Promise<{ url: string; lines: string[] }> {
  const child = spawn(process.execPath, [programFile(id)], {
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', MODE: mode, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let text = '';
  const url = await new Promise<string>((found, fail) => {
    child.on('exit', () => fail(new Error(`${id} ended`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      lines.splice(0, lines.length, ...text.split('\n'));
      const match = /^LISTENING (http:\S+)$/m.exec(text);
      if (match) found(match[1]!);
    });
  });
  return { url, lines };
}
