import { describe, expect, test } from 'vitest';
import { modelCalls } from '../../../src-main/models/model-calls';
import { failed, ok } from '../../../src-shared/base/result';
import type { ModelId } from '../../../src-shared/models/model.schema';

const id = 'model-1' as ModelId;
const draft = { name: 'Local', endpoint: 'http://127.0.0.1:11434/v1', model: 'm' };

function setUp(problem: string | null = null, noAct: string | null = null) {
  const switched: boolean[] = [];
  const result = () => (problem === null ? ok(undefined) : failed(problem));
  const calls = modelCalls({
    store: {
      add: () => (problem === null ? ok(id) : failed(problem)),
      update: result,
      remove: result,
      setOn: (_id, on) => {
        switched.push(on);
        return result();
      },
    },
    noActProblem: () => noAct,
  });
  return { calls, switched };
}

describe('model calls', () => {
  test('answer success without new state', async () => {
    const { calls, switched } = setUp();
    expect(await calls['models.add'](draft)).toEqual(ok({ id }));
    expect(await calls['models.update']({ id, draft })).toEqual(ok({}));
    expect(await calls['models.setOn']({ id, on: true })).toEqual(ok({}));
    expect(await calls['models.remove']({ id })).toEqual(ok({}));
    expect(switched).toEqual([true]);
  });

  test('S2: pass a refusal on as it stands', async () => {
    const { calls } = setUp('Use an https address.');
    const refusal = { ok: false, problem: { code: 'refused', message: 'Use an https address.' } };
    expect(await calls['models.add'](draft)).toEqual(refusal);
    expect(await calls['models.update']({ id, draft })).toEqual(refusal);
    expect(await calls['models.setOn']({ id, on: true })).toEqual(refusal);
    expect(await calls['models.remove']({ id })).toEqual(refusal);
  });

  test('A9: a model is not turned on without a click or a key press; turning off needs none', async () => {
    const { calls, switched } = setUp(null, 'Use the switch yourself.');
    expect(await calls['models.setOn']({ id, on: true })).toEqual(
      failed({ code: 'refused', message: 'Use the switch yourself.' }),
    );
    expect(await calls['models.setOn']({ id, on: false })).toEqual(ok({}));
    expect(switched).toEqual([false]);
  });
});
