import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ServerLimits } from '../../src-shared/servers/server.schema';
import { AUTOMATIC_WIRE, type WireChoice } from '../../src-shared/servers/wire-choice.schema';
import type { Era, Spoken } from './era-memory';
import type { HttpWay } from './http-transport-door';
import { firstAttempt, foundNoStream, nextAttempt, type Attempt } from './mcp-session-attempt';
import type { Envelope } from './mcp-session-call-message';
import { Deadline } from './mcp-session-deadline';
import { ProgramWire, SessionWire, type SessionLink } from './mcp-session-wire';
import { causesOf, toSessionProblem, type ProblemFacts, type SessionProblem } from './session-problem';

const CLIENT = { name: 'portcullis', title: 'Portcullis', version: '0.1.0' };
/** A program that does not answer the first question in this time is taken for one of the session era. */
const MAX_PROBE_MS = 10_000;
const MAX_ATTEMPTS = 3;
const MODERN_VERSION = '2026-07-28';

export interface ConnectParts {
  serverName: string;
  limits: ServerLimits;
  clock: Clock;
  /** Makes one fresh way to the server; called again for a second attempt. A program has but one way. */
  link(way: HttpWay): Promise<Result<SessionLink, SessionProblem>>;
  /** What this server spoke the last time. */
  era?: Spoken | undefined;
  /** What the user chose; left out, it is found out. */
  wire?: WireChoice | undefined;
  signal?: AbortSignal | undefined;
  /** A person can be asked during a call; without a window nobody can (W8). */
  answersQuestions?: boolean | undefined;
  /** Told of a connection that failed and is still ending: the problem is known before the program is gone. */
  onEnding?(ended: Promise<void>): void;
}

/** A server that answered: from here on the client speaks to it. */
export interface Connection {
  client: Client;
  wire: SessionWire;
  link: SessionLink;
  era: Era;
  envelope: Envelope;
  /** What to remember of it. */
  spoken: Spoken;
}

interface Failure {
  problem: SessionProblem;
  next: Attempt | null;
}

/** Starts or contacts a server and agrees on a protocol version, within one deadline over all attempts (W3). */
export async function connect(parts: ConnectParts): Promise<Result<Connection, SessionProblem>> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  if (parts.signal?.aborted) stop();
  parts.signal?.addEventListener('abort', stop, { once: true });
  let deadline: Deadline | undefined;
  const choice = parts.wire ?? AUTOMATIC_WIRE;
  if (choice.protocol === 'sse' && choice.era === 'modern') return failed(neverBoth(parts));
  try {
    let attempt: Attempt = firstAttempt(choice, parts.era);
    for (let count = 1; ; count += 1) {
      if (abort.signal.aborted) return failed(toSessionProblem(null, { ...factsOf(parts), ...whyStopped(parts, deadline) }));
      const link = await parts.link(attempt.way);
      if (!link.ok) return link;
      const ms = startMs(parts, link.value);
      deadline ??= new Deadline(parts.clock, ms, ms, stop);
      const outcome = await tryOnce(parts, link.value, attempt, abort.signal, deadline);
      if (outcome.ok) return outcome;
      const { next, problem } = outcome.problem;
      if (next === null || abort.signal.aborted || count === MAX_ATTEMPTS) return failed(problem);
      attempt = next;
    }
  } finally {
    deadline?.stop();
    parts.signal?.removeEventListener('abort', stop);
  }
}

async function tryOnce(
  parts: ConnectParts,
  link: SessionLink,
  attempt: Attempt,
  signal: AbortSignal,
  deadline: Deadline,
): Promise<Result<Connection, Failure>> {
  // Loaded at first need: the protocol client costs more to load than the rest of the app's start.
  const [sdk, validation] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/validators/cf-worker'),
  ]);
  const ms = startMs(parts, link);
  const wire = new (link.kind === 'stdio' ? ProgramWire : SessionWire)(link.transport, parts.clock);
  // What is not declared here is answered as unknown.
  const capabilities = parts.answersQuestions ? { elicitation: { form: {}, url: {} } } : {};
  const client = new sdk.Client(CLIENT, {
    capabilities,
    versionNegotiation: {
      mode: attempt.how === 'modern' ? { pin: MODERN_VERSION } : 'auto',
      probe: { timeoutMs: link.kind === 'stdio' ? Math.min(MAX_PROBE_MS, ms / 2) : ms },
    },
    jsonSchemaValidator: new validation.CfWorkerJsonSchemaValidator(),
    inputRequired: { autoFulfill: false },
    ...(attempt.versions === undefined ? {} : { supportedProtocolVersions: attempt.versions }),
  });
  const stopped = new Promise<never>((_, reject) => {
    const end = (): void => {
      void wire.close();
      reject(new Error('Stopped.'));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  const opened = client.connect(wire, {
    timeout: ms * 2,
    ...(attempt.how === 'ask' || attempt.how === 'modern' ? {} : { prior: { kind: 'legacy' as const } }),
  });
  try {
    await Promise.race([opened, stopped]);
    const era = client.getProtocolEra() ?? 'legacy';
    const version = client.getNegotiatedProtocolVersion();
    const envelope = era === 'modern' ? envelopeOf(version, capabilities) : {};
    const spoken = link.kind === 'http' && attempt.way === 'sse' ? 'legacy-sse' : era;
    return ok({ client, wire, link, era, envelope, spoken });
  } catch (error) {
    opened.catch(() => undefined);
    stopped.catch(() => undefined);
    parts.onEnding?.(wire.close());
    const facts = { ...factsOf(parts), ...whyStopped(parts, deadline), lastWords: link.lastWords() };
    const known = sdk.SUPPORTED_PROTOCOL_VERSIONS;
    const listed = attempt.versions === undefined ? versionsIn(error) : [];
    const shared = known.filter((version) => listed.includes(version));
    if (listed.length > 0 && shared.length === 0 && !signal.aborted)
      return failed({ next: null, problem: noSharedVersion(parts, listed, known) });
    const problem = problemOf(parts, attempt, link.failure() ?? error, facts);
    if (shared.length > 0) return failed({ problem, next: { ...attempt, how: 'legacy', versions: shared } });
    const choice = parts.wire ?? AUTOMATIC_WIRE;
    return failed({ problem, next: nextAttempt(attempt, { link, wire, error, choice, problem }) });
  }
}

function problemOf({ serverName }: ConnectParts, attempt: Attempt, error: unknown, facts: ProblemFacts): SessionProblem {
  if (attempt.insteadOf && foundNoStream(error)) return attempt.insteadOf;
  const refused = causesOf(error).some((each) => (each as { code?: unknown }).code === 'ERA_NEGOTIATION_FAILED');
  if (attempt.how === 'modern' && refused && !facts.cancelled && facts.deadlineMs === undefined) {
    return {
      kind: 'server-error',
      message: `${serverName} does not speak protocol version ${MODERN_VERSION}, which its settings ask for. Choose automatic there.`,
    };
  }
  return toSessionProblem(error, facts);
}

/** The same as the client sends with its own messages (MCP 2026-07-28, basic protocol). */
const envelopeOf = (version: string | undefined, capabilities: object): Envelope => ({
  'io.modelcontextprotocol/protocolVersion': version ?? MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

const neverBoth = ({ serverName }: ConnectParts): SessionProblem => ({
  kind: 'refused',
  message: `${serverName} is set to HTTP+SSE and to protocol version ${MODERN_VERSION}, which never go together. Set one of them to automatic.`,
});

/** The protocol versions a refusal names: as data where it has some, else in its words. */
function versionsIn(error: unknown): string[] {
  for (const each of causesOf(error)) {
    const { data } = each as { data?: { supported?: unknown; text?: unknown } };
    if (Array.isArray(data?.supported)) return data.supported.filter((version) => typeof version === 'string').slice(0, 32);
    const words =
      typeof data?.text === 'string' ? data.text : typeof (each as { code?: unknown }).code === 'number' ? each.message : '';
    if (/unsupported protocol version/i.test(words)) return words.match(/\b20\d\d-\d\d-\d\d\b/g)?.slice(0, 32) ?? [];
  }
  return [];
}

function noSharedVersion({ serverName }: ConnectParts, listed: string[], known: readonly string[]): SessionProblem {
  const theirs = listed.filter((version) => /^\d{4}-\d\d-\d\d$/.test(version)).join(', ') || 'none this app knows';
  return {
    kind: 'server-error',
    message: `${serverName} speaks protocol versions ${theirs}; this app speaks ${MODERN_VERSION}, ${known.join(', ')}.`,
  };
}

function startMs({ limits }: ConnectParts, { kind }: SessionLink): number {
  return kind === 'stdio' ? limits.startTimeoutMs : limits.discoveryTimeoutMs;
}

function factsOf({ serverName, limits }: ConnectParts): ProblemFacts {
  return { serverName, doing: 'start', maxReplyBytes: limits.maxReplyBytes };
}

function whyStopped(parts: ConnectParts, deadline: Deadline | undefined): Partial<ProblemFacts> {
  if (parts.signal?.aborted) return { cancelled: true };
  return deadline?.passed ? { deadlineMs: deadline.totalMs } : {};
}
