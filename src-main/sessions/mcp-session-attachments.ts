import { ok, type Result } from '../../src-shared/base/result';
import {
  MAX_ATTACHABLES,
  readPromptList,
  readResourceList,
  readTemplateList,
  type AttachableReading,
} from '../../src-shared/attachments/attachable-list-rule';
import type { ListedPrompt, ListedResource, ListedTemplate } from '../../src-shared/attachments/attachable.schema';
import type { ServerLimits } from '../../src-shared/servers/server.schema';
import type { Traffic } from './http-transport-door';
import { MAX_CALL_MS } from './mcp-session-call';
import type { Connection } from './mcp-session-connect';
import { AnyResultSchema, NO_CLIENT_TIMEOUT_MS, readPages, type ListKind } from './mcp-session-list';
import type { WirePage } from './mcp-session-wire';
import type { SessionProblem } from './session-problem';

/** One wait of a session: what for, how long a step of it takes, and how long it takes at most. */
export interface SessionWait {
  doing: 'list' | 'call' | 'read';
  /** What is listed; absent for tools. */
  listed?: 'resources' | 'prompts';
  stepMs: number;
  totalMs: number;
  signal: AbortSignal | undefined;
}

/** Runs one exchange on the session's connection, within its deadline, and once more on a session that had to be renewed. */
export type SessionExchange = <T>(
  wait: SessionWait,
  run: (connection: Connection, stop: AbortSignal, extend: () => void) => Promise<T>,
) => Promise<Result<T, SessionProblem>>;

export interface AttachmentAsk {
  signal?: AbortSignal | undefined;
  conversation?: string | undefined;
}

/** `raw` is the result object as the server sent it, untreated. */
export interface AttachmentAnswer {
  raw: unknown;
  bytesOut: number;
  bytesIn: number;
}

const RESOURCES: ListKind = { method: 'resources/list', member: 'resources', isOptional: () => true };
const TEMPLATES: ListKind = { method: 'resources/templates/list', member: 'resourceTemplates', isOptional: () => true };
const PROMPTS: ListKind = { method: 'prompts/list', member: 'prompts', isOptional: () => true };

/**
 * Resources and prompts of one session (W8). Each list stands by itself: a failed one loses no other (W6),
 * and a server that declares none is not asked.
 */
export class SessionAttachments {
  constructor(
    private readonly limits: ServerLimits,
    private readonly exchange: SessionExchange,
  ) {}

  async listResources(signal?: AbortSignal): Promise<Result<AttachableReading<ListedResource>, SessionProblem>> {
    return this.#list('resources', RESOURCES, readResourceList, signal);
  }

  async listResourceTemplates(signal?: AbortSignal): Promise<Result<AttachableReading<ListedTemplate>, SessionProblem>> {
    return this.#list('resources', TEMPLATES, readTemplateList, signal);
  }

  async listPrompts(signal?: AbortSignal): Promise<Result<AttachableReading<ListedPrompt>, SessionProblem>> {
    return this.#list('prompts', PROMPTS, readPromptList, signal);
  }

  async readResource(uri: string, ask: AttachmentAsk = {}): Promise<Result<AttachmentAnswer, SessionProblem>> {
    return this.#fetch('resources/read', { uri }, { contents: [] }, ask);
  }

  async getPrompt(
    name: string,
    given: { readonly [name: string]: string },
    ask: AttachmentAsk = {},
  ): Promise<Result<AttachmentAnswer, SessionProblem>> {
    return this.#fetch('prompts/get', { name, arguments: given }, { messages: [] }, ask);
  }

  async #list<T>(
    listed: 'resources' | 'prompts',
    kind: ListKind,
    read: (raw: readonly unknown[]) => AttachableReading<T>,
    signal: AbortSignal | undefined,
  ): Promise<Result<AttachableReading<T>, SessionProblem>> {
    const { discoveryTimeoutMs } = this.limits;
    const wait = { doing: 'list' as const, listed, stepMs: discoveryTimeoutMs, totalMs: discoveryTimeoutMs, signal };
    const outcome = await this.exchange(wait, async (connection, stop) => {
      const declared = connection.client.getServerCapabilities()?.[listed] !== undefined;
      return declared ? (await readPages(connection, MAX_ATTACHABLES, stop, kind)).entries : [];
    });
    return outcome.ok ? ok(read(outcome.value)) : outcome;
  }

  async #fetch(
    method: 'resources/read' | 'prompts/get',
    params: { [name: string]: unknown },
    empty: object,
    { signal, conversation }: AttachmentAsk,
  ): Promise<Result<AttachmentAnswer, SessionProblem>> {
    const wait = { doing: 'read' as const, stepMs: this.limits.callTimeoutMs, totalMs: MAX_CALL_MS, signal };
    return this.exchange(wait, async ({ client, wire }, stop, extend) => {
      const page: WirePage = { method, empty, signal: stop, conversation };
      wire.announcePage(page);
      try {
        await client.request({ method, params }, AnyResultSchema, {
          signal: stop,
          timeout: NO_CLIENT_TIMEOUT_MS,
          onprogress: extend,
        });
      } finally {
        wire.settle(page);
      }
      const { bytesOut = 0, bytesIn = 0 }: Partial<Traffic> = page.traffic ?? {};
      return { raw: page.raw, bytesOut, bytesIn };
    });
  }
}
