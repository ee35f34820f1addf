/** The outcome of an operation that can fail for a reason the caller is expected to handle. */
export type Result<T, P> = { ok: true; value: T } | { ok: false; problem: P };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const failed = <P>(problem: P): Result<never, P> => ({ ok: false, problem });
