import { editableText, withEditedPart, type EditedPart } from '../../src-shared/approvals/argument-edit';
import type { EditableText } from '../../src-shared/approvals/approval.schema';
import type { Digest } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { sha256Hex } from '../../src-shared/base/sha256';
import { checkArguments } from '../../src-shared/tools/argument-check';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import type { Editing, ToolQuestion } from '../approvals/approval-broker';
import { argumentsProblem, type Checker } from './schema-verdicts';

const GONE = 'That copy of the call is gone. Look again.';

export interface CopyParts {
  definition: ToolDefinition;
  checker: Checker;
  /** How a copy is shown; the outbound check is run for it anew (A7). */
  sheetOf(frozenText: string, digest: Digest): ToolQuestion;
}

/** The frozen copies of one call: the one that was asked for, and each one a person made of it. Only these can be sent (A5). */
export class CallCopies implements Editing {
  readonly #texts = new Map<Digest, string>();
  readonly #first: Digest;

  constructor(
    private readonly parts: CopyParts,
    askedFor: string,
  ) {
    this.#first = this.#keep(askedFor);
  }

  /** The sheet of the call as it was asked for. */
  first(): ToolQuestion {
    return this.#sheetOf(this.#first);
  }

  textOf(digest: Digest): string | null {
    return this.#texts.get(digest) ?? null;
  }

  read(of: Digest, part: EditedPart): Result<EditableText, string> {
    const text = this.textOf(of);
    return text === null ? failed(GONE) : editableText(text, part);
  }

  async freeze(of: Digest, part: EditedPart, typed: string): Promise<Result<ToolQuestion, string>> {
    const text = this.textOf(of);
    if (text === null) return failed(GONE);
    const written = withEditedPart(text, part, typed);
    if (!written.ok) return written;
    const { definition, checker } = this.parts;
    const checked = checkArguments(definition.inputSchema, written.value);
    if (!checked.ok) return checked;
    if ((await argumentsProblem(checker, definition, checked.value.value)) !== null) {
      return failed('With that the arguments do not fit what the tool takes.');
    }
    return ok(this.#sheetOf(this.#keep(checked.value.frozenText)));
  }

  #keep(frozenText: string): Digest {
    const digest = sha256Hex(frozenText);
    this.#texts.set(digest, frozenText);
    return digest;
  }

  #sheetOf(digest: Digest): ToolQuestion {
    const sheet = this.parts.sheetOf(this.#texts.get(digest) ?? '', digest);
    return digest === this.#first ? sheet : { ...sheet, edited: true };
  }
}
