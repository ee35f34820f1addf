import type { Digest } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import { diffTexts } from '../../src-shared/base/text-diff';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { diffDefinitions } from '../../src-shared/tools/definition-diff';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import type { DefinitionDiff } from '../../src-shared/tools/definition-diff.schema';
import type { InstructionsStanding, ShownInstructions } from '../../src-shared/tools/instructions.schema';
import type { PinnedInstructions, PinnedTool, ToolChoices } from '../servers/review-records';
import type { TrustStore } from '../servers/trust-store';
import type { ToolCatalog } from './tool-catalog';

export interface ToolReviewParts {
  catalog: Pick<ToolCatalog, 'listed' | 'listedNames' | 'refresh' | 'instructionsOf'>;
  trust: Pick<TrustStore, 'choices' | 'saveChoices'>;
}

/** One ticked box: the tool, and which definition was on the screen beside it. */
export interface TickedTool {
  rawName: string;
  digest: Digest;
}

/** One decision about a tool, for the definition that was on the screen. */
export interface DecidedTool extends TickedTool {
  offered: boolean;
}

const COMPARE_CELLS = 2_000_000;

/** What the user reviewed of a server's tools and instructions, pinned as it was on the screen (R4). */
export class ToolReview {
  constructor(private readonly parts: ToolReviewParts) {}

  /**
   * The first review: pins every listed definition as it was on the screen; the ticked ones are offered.
   * Nothing is pinned when one has changed since. Instructions that were not on the screen stay unreviewed.
   */
  pin(id: ServerId, ticked: readonly TickedTool[], instructions?: Digest): Result<void, string> {
    const changed = this.#firstChanged(id, ticked);
    if (changed !== null)
      return failed(`${changed} changed while it was on the screen. Look at it again, then turn the server on.`);
    const offered = new Set(ticked.map(({ rawName }) => rawName));
    const tools = new Map<string, PinnedTool>();
    for (const rawName of this.parts.catalog.listedNames(id)) {
      const listed = this.parts.catalog.listed(id, rawName);
      if (listed) tools.set(rawName, this.#pinned(id, listed, offered.has(rawName)));
    }
    return this.#save(id, { tools, instructions: this.#instructionsAfter(id, instructions) });
  }

  /** Reviews one tool on its own: pins the definition that was on the screen and switches it. */
  choose(id: ServerId, rawName: string, digest: Digest, offered: boolean): Result<void, string> {
    const listed = this.parts.catalog.listed(id, rawName);
    if (!listed) return failed('That tool is not listed by its server any more. Look at its page in Settings, MCP servers.');
    if (listed.digest !== digest) return failed(`${shown(rawName)} changed while it was on the screen. Look at it again.`);
    const choices = this.parts.trust.choices(id);
    return this.#save(id, { ...choices, tools: new Map([...choices.tools, [rawName, this.#pinned(id, listed, offered)]]) });
  }

  /**
   * Settles several at once, each for the definition that was on the screen: all of them, or none when one has changed since.
   * What its server lists no more is let go with it, so that it is new when it comes back.
   */
  review(id: ServerId, decided: readonly DecidedTool[], instructions?: Digest): Result<void, string> {
    const changed = this.#firstChanged(id, decided);
    if (changed !== null)
      return failed(`${changed} changed while it was on the screen, so nothing was settled. Look at it again.`);
    if (instructions !== undefined && this.#current(id)?.digest !== instructions) {
      return failed('Its instructions changed while they were on the screen, so nothing was settled. Look at them again.');
    }
    const listed = new Set(this.parts.catalog.listedNames(id));
    const choices = this.parts.trust.choices(id);
    const tools = new Map([...choices.tools].filter(([rawName]) => listed.has(rawName)));
    for (const { rawName, offered } of decided) {
      const entry = this.parts.catalog.listed(id, rawName);
      if (entry) tools.set(rawName, this.#pinned(id, entry, offered));
    }
    return this.#save(id, { tools, instructions: this.#instructionsAfter(id, instructions) });
  }

  /** The user's own mark on a reviewed tool, for the definition that was on the screen (A6). */
  markReadsOnly(id: ServerId, rawName: string, digest: Digest, readsOnly: boolean): Result<void, string> {
    const choices = this.parts.trust.choices(id);
    const pinned = choices.tools.get(rawName);
    if (pinned?.digest !== digest) return failed(`Look at ${shown(rawName)} as it is now first, then say what it does.`);
    const { readsOnly: _before, ...tool } = pinned;
    const marked = readsOnly ? { ...tool, readsOnly } : tool;
    return this.#save(id, { ...choices, tools: new Map([...choices.tools, [rawName, marked]]) });
  }

  /** Whether the mark stands on this very definition. */
  isMarkedReadsOnly(id: ServerId, rawName: string, digest: Digest): boolean {
    const pinned = this.parts.trust.choices(id).tools.get(rawName);
    return pinned?.readsOnly === true && pinned.digest === digest;
  }

  /** How a listed tool differs from what was reviewed of it; null when it was not reviewed, or is the same (R4). */
  diffOf(id: ServerId, rawName: string): DefinitionDiff | null {
    const listed = this.parts.catalog.listed(id, rawName);
    const pinned = this.parts.trust.choices(id).tools.get(rawName);
    if (!listed || !pinned || pinned.digest === listed.digest) return null;
    return diffDefinitions(pinned.definition, listed.definition);
  }

  /** The reviewed text, for models, once the user turned that on (R5). It is never what the server says now. */
  toldInstructions(id: ServerId): string | null {
    const { instructions } = this.parts.trust.choices(id);
    return instructions?.told && this.parts.catalog.instructionsOf(id) !== null ? instructions.text : null;
  }

  instructionsOf(id: ServerId): InstructionsStanding {
    const { instructions: pinned } = this.parts.trust.choices(id);
    const current = this.#current(id);
    const state = !current ? 'none' : !pinned ? 'new' : current.digest === pinned.digest ? 'reviewed' : 'changed';
    return { state, digest: current?.digest ?? null, told: pinned?.told ?? false };
  }

  /** What a server says to models of itself, for the screen, beside what was reviewed of it. */
  describeInstructions(id: ServerId): ShownInstructions {
    const standing = this.instructionsOf(id);
    const now = this.#current(id)?.text ?? '';
    const reviewed = this.parts.trust.choices(id).instructions?.text ?? '';
    const diff = standing.state === 'changed' ? diffTexts(reviewed, now, { cells: COMPARE_CELLS }) : null;
    return { ...standing, text: visibleToString(toVisibleText(now)), diff };
  }

  /** The user's switch: models are told the text that was on the screen (R5), which reviews it. */
  tellInstructions(id: ServerId, digest: Digest, told: boolean): Result<void, string> {
    const choices = this.parts.trust.choices(id);
    if (!told) {
      if (choices.instructions === null) return ok(undefined);
      return this.#save(id, { ...choices, instructions: { ...choices.instructions, told: false } });
    }
    const current = this.#current(id);
    if (current?.digest !== digest) return failed('Its instructions changed while they were on the screen. Look at them again.');
    return this.#save(id, { ...choices, instructions: { ...current, told: true } });
  }

  /** A mark is kept for as long as the definition it was put on. */
  #pinned(id: ServerId, listed: { definition: ToolDefinition; digest: Digest }, offered: boolean): PinnedTool {
    const isMarked = this.isMarkedReadsOnly(id, listed.definition.rawName, listed.digest);
    return { ...listed, offered, ...(isMarked && { readsOnly: true as const }) };
  }

  #firstChanged(id: ServerId, seen: readonly TickedTool[]): string | null {
    const changed = seen.find(({ rawName, digest }) => this.parts.catalog.listed(id, rawName)?.digest !== digest);
    return changed ? shown(changed.rawName) : null;
  }

  /** What stays pinned: the text that was on the screen just now, or else the one of before. */
  #instructionsAfter(id: ServerId, seen: Digest | undefined): PinnedInstructions | null {
    const current = this.#current(id);
    const { instructions: before } = this.parts.trust.choices(id);
    return current && current.digest === seen ? { ...current, told: before?.told ?? false } : before;
  }

  /** What it said last; where nobody asked it yet, what was reviewed. */
  #current(id: ServerId): { digest: Digest; text: string } | null {
    const listed = this.parts.catalog.instructionsOf(id);
    if (listed !== undefined) return listed;
    const { instructions } = this.parts.trust.choices(id);
    return instructions && { digest: instructions.digest, text: instructions.text };
  }

  #save(id: ServerId, choices: ToolChoices): Result<void, string> {
    const saved = this.parts.trust.saveChoices(id, choices);
    if (saved.ok) this.parts.catalog.refresh();
    return saved;
  }
}

const shown = (rawName: string): string => visibleToString(toVisibleText(rawName));
