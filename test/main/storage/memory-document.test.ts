import { expect, test } from 'vitest';
import { memoryDocument } from '../../../src-main/storage/memory-document';

test('S5: a document in memory holds what it was given last, and tells of each change once', () => {
  const document = memoryDocument({ names: [] as string[] });
  let heard = 0;
  const stop = document.onChange(() => heard++);
  document.update(({ names }) => ({ names: [...names, 'one'] }));
  document.update((same) => same);
  expect([document.read(), heard]).toEqual([{ ok: true, value: { names: ['one'] } }, 1]);
  stop();
  document.update(() => ({ names: [] }));
  expect(heard).toBe(1);
});
