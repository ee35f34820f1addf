import { failed, ok, type Result } from '../../src-shared/base/result';
import { contract, type CallHandlers, type CallName, type CallProblem } from '../../src-shared/ipc/contract';

const invalid = (message: string): Result<never, CallProblem> => failed({ code: 'invalid-input', message });

/**
 * Answers one raw message from the window. Nothing behind this function sees unchecked input,
 * and nothing in front of it sees a field the contract does not name.
 */
export async function answerCall(
  handlers: CallHandlers,
  name: unknown,
  rawInput: unknown,
): Promise<Result<unknown, CallProblem>> {
  if (!isCallName(name)) return invalid('The window asked for something this version does not know.');
  const shape = contract.calls[name];

  const input = shape.input.safeParse(rawInput);
  if (!input.success) return invalid(`The request for ${name} was malformed.`);

  const handler = handlers[name] as (input: unknown) => Promise<Result<unknown, CallProblem>>;
  try {
    const outcome = await handler(input.data);
    return outcome.ok ? ok(shape.output.parse(outcome.value)) : outcome;
  } catch {
    // The window learns that it failed, never with what: an error's text can carry content (P8).
    return failed({ code: 'unexpected', message: `Portcullis met a fault of its own while it did ${name}. Nothing was sent.` });
  }
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(contract.calls, name);
}
