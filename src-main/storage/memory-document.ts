import { ok, type Result } from '../../src-shared/base/result';
import type { DocumentProblem, JsonDocument } from './json-document';

/** A document that lasts for this run and is written nowhere. */
export function memoryDocument<T extends object>(empty: T): JsonDocument<T> {
  return new MemoryDocument(empty);
}

class MemoryDocument<T extends object> implements JsonDocument<T> {
  readonly #listeners = new Set<() => void>();
  #current: T;

  constructor(empty: T) {
    this.#current = empty;
  }

  read(): Result<T, DocumentProblem> {
    return ok(this.#current);
  }

  async readPatiently(): Promise<Result<T, DocumentProblem>> {
    return this.read();
  }

  update(change: (current: T) => T): Result<T, DocumentProblem> {
    const next = change(this.#current);
    if (next !== this.#current) {
      this.#current = next;
      for (const listener of [...this.#listeners]) listener();
    }
    return ok(next);
  }

  onChange(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }
}
