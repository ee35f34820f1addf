import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import type { SessionParts } from '../../src-main/sessions/mcp-session';
import { callOf, openHttpSession, startFixture } from '../support/scripted-server';
import { openProgram } from '../support/program-session';

const peer = 'peers/modern-lively.mjs';
const textOf = (raw: unknown): string => (raw as { content: { text: string }[] }).content[0]!.text;

async function open(kind: 'program' | 'address', parts: Partial<SessionParts> = {}, callTimeoutMs = 20_000): Promise<McpSession> {
  const limits = { callTimeoutMs };
  const opened =
    kind === 'program'
      ? (await openProgram(resolve(import.meta.dirname, '../fixtures', peer), { parts, limits })).opened
      : await openHttpSession((await startFixture(peer, { HOW: 'http' })).url, { parts, limits });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}
const namesOf = async (session: McpSession): Promise<string[]> => {
  const listed = await session.listTools();
  return listed.ok ? listed.value.tools.map((tool) => tool.rawName) : [];
};

describe.each(['program', 'address'] as const)('a server of the stateless era behind a %s', (kind) => {
  test('W1: its tools are listed and called', async () => {
    const session = await open(kind);
    expect([session.era, session.spoken, session.protocolVersion]).toEqual(['modern', 'modern', '2026-07-28']);
    expect(await namesOf(session)).toEqual(['steps', 'wait', 'cancelled', 'grow']);
    const called = await session.callTool(callOf('cancelled'));
    expect(called.ok && textOf(called.raw)).toBe('0');
    expect(called.figures.bytesIn).toBeGreaterThan(10);
  });

  test('W3: progress arrives, and keeps a call alive beyond its own time', async () => {
    const session = await open(kind, {}, 500);
    const seen: number[] = [];
    const called = await session.callTool({
      ...callOf('steps', { count: 6 }),
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect(called.ok && textOf(called.raw)).toBe('done');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(called.figures.ms).toBeGreaterThan(800);
  });

  test('W3: without progress the call ends at its time', async () => {
    const session = await open(kind, {}, 500);
    const called = await session.callTool(callOf('wait'));
    expect(called).toMatchObject({ ok: false, problem: { kind: 'timed-out' } });
    expect(called.figures.ms).toBeLessThan(1500);
  });

  test('W3: cancelling ends the call at once, and the server is told', async () => {
    const session = await open(kind);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const called = await session.callTool({ ...callOf('wait'), signal: stop.signal });
    expect(called).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(called.figures.ms).toBeLessThan(1000);
    await expect
      .poll(async () => {
        const count = await session.callTool(callOf('cancelled'));
        return count.ok && textOf(count.raw);
      })
      .toBe('1');
  });

  test('R3: it tells that its list changed, and the new tool is there', async () => {
    let changes = 0;
    const session = await open(kind, { onToolsChanged: () => (changes += 1) });
    expect(await namesOf(session)).not.toContain('grown');
    // Its subscription is open a moment after the start.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await session.callTool(callOf('grow'));
    await expect.poll(() => changes, { timeout: 3000 }).toBeGreaterThan(0);
    expect(await namesOf(session)).toContain('grown');
  });
});
