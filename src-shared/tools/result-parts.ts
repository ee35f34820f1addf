import { canonicalJson } from '../base/canonical-json';
import { cutAtCharacter } from '../base/hidden-characters';
import { checkJsonBounds } from '../base/json-bounds';
import { readMedia, type MediaReading } from './media-reading';
import { stripInvisible } from './strip-invisible';
import type { Json, ResultPart } from './tool.schema';

const STRUCTURED_BOUNDS = { maxDepth: 256, maxChars: 64 * 1024 * 1024 } as const;
/** Base64 characters; a chat keeps what it shows. */
const MAX_SHOWN_IMAGE = 512 * 1024;

export interface ResultReading {
  parts: ResultPart[];
  /** All parts in words, joined; untreated. Never empty. */
  text: string;
  isError: boolean;
}

/**
 * Reads a call's result however it is shaped. What cannot be given is described; nothing is dropped in silence and nothing fetched (O5).
 * `exactStructured` is its structured content as text, where a parse has rounded numbers in it (O6).
 */
export function readResultParts(raw: unknown, exactStructured?: string): ResultReading {
  const result = unwrap(raw);
  const isError = result['isError'] === true || result['isError'] === 'true';
  const parts = blocksOf(result['content']).map(readBlock);
  const structured = result['structuredContent'];
  if (structured !== undefined && structured !== null) {
    const part = readStructured(structured, exactStructured);
    if (!parts.some((other) => saysTheSame(other, part))) parts.push(part);
  }
  return { parts, text: textOfParts(parts, isError), isError };
}

/** All parts in words, one after another. */
export function textOfParts(parts: readonly ResultPart[], failed: boolean): string {
  const text = parts.map(partInWords).join('\n');
  if (text.trim() !== '') return text;
  return failed ? '(the tool failed without a message)' : '(empty result)';
}

/** The same parts with every text stripped (O1), fit for the window. */
export function treatParts(parts: readonly ResultPart[], mask: (text: string) => string): ResultPart[] {
  const treated = parts.map((part) => {
    const members = Object.entries(part).map(([name, value]) => [
      name,
      typeof value === 'string' ? mask(stripInvisible(value).text) : value,
    ]);
    return Object.fromEntries(members) as ResultPart;
  });
  return treated;
}

function partInWords(part: ResultPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'structured':
      return part.json;
    case 'image':
    case 'audio':
      return `[${part.kind}${part.name === undefined ? '' : ` ${part.name}`}, ${part.mimeType}, ${sizeInWords(part.bytes)}]`;
    case 'blob':
      return `[file ${part.name}, ${part.mimeType}, ${sizeInWords(part.bytes)}]`;
    case 'link':
      return `[link to ${part.name}: ${part.uri}; not fetched]`;
    case 'unknown':
      return `[a part this app cannot show: ${part.claimed}]`;
  }
}

function unwrap(raw: unknown): { [name: string]: unknown } {
  if (!isObject(raw)) return raw === undefined || raw === null ? {} : { content: raw };
  const inner = raw['toolResult'];
  if (raw['content'] !== undefined || raw['structuredContent'] !== undefined || inner === undefined) return raw;
  return isObject(inner) ? { ...inner, isError: inner['isError'] ?? raw['isError'] } : { ...raw, content: inner };
}

function blocksOf(content: unknown): unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function readBlock(block: unknown): ResultPart {
  if (typeof block === 'string') return { kind: 'text', text: block };
  if (!isObject(block)) return { kind: 'unknown', claimed: `a block that is ${block === null ? 'null' : kindOf(block)}` };
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] === 'string') return { kind: 'text', text: block['text'] };
      return { kind: 'unknown', claimed: 'text without text' };
    case 'image':
    case 'audio':
      return readMediaBlock(block['type'], block['data'], block['mimeType']);
    case 'resource':
      return readResource(block['resource']);
    case 'resource_link': {
      const uri = textOr(block['uri'], '');
      if (uri === '') return { kind: 'unknown', claimed: 'a link without an address' };
      return { kind: 'link', uri, name: textOr(block['title'], textOr(block['name'], 'a resource')) };
    }
    default:
      return { kind: 'unknown', claimed: typeof block['type'] === 'string' ? `"${block['type']}"` : 'a block without a type' };
  }
}

/** Pictures and sounds are what their bytes are. One that is something else is told as what it claims to be, and never shown. */
function readMediaBlock(kind: 'image' | 'audio', data: unknown, mimeType: unknown): ResultPart {
  if (typeof data !== 'string') return { kind: 'unknown', claimed: `${kind} without data` };
  const read = readMedia(data);
  if (read === null) return { kind: 'unknown', claimed: `${kind} that is not base64` };
  if (read.bytes === 0) return { kind: 'unknown', claimed: `${kind} with no bytes` };
  const part = mediaPart(read);
  if (part) return part;
  const size = sizeInWords(read.bytes);
  return { kind: 'unknown', claimed: `${kind}, ${claimedType(mimeType)}, ${size}, of no kind that is shown here` };
}

function mediaPart({ mimeType, bytes, base64 }: MediaReading, name?: string): ResultPart | null {
  const named = name === undefined ? {} : { name };
  if (mimeType?.startsWith('image/')) {
    return { kind: 'image', mimeType, bytes, ...named, ...(base64.length <= MAX_SHOWN_IMAGE ? { data: base64 } : {}) };
  }
  return mimeType?.startsWith('audio/') ? { kind: 'audio', mimeType, bytes, ...named } : null;
}

function claimedType(mimeType: unknown): string {
  return typeof mimeType === 'string' && mimeType !== '' ? `said to be ${cutAtCharacter(mimeType, 80)}` : 'type not given';
}

function readResource(resource: unknown): ResultPart {
  if (!isObject(resource)) return { kind: 'unknown', claimed: 'a resource without a body' };
  const name = textOr(resource['uri'], 'without an address');
  if (typeof resource['text'] === 'string') return { kind: 'text', text: `[resource ${name}]\n${resource['text']}` };
  if (typeof resource['blob'] !== 'string') return { kind: 'unknown', claimed: `a resource without a body, ${name}` };
  const read = readMedia(resource['blob']);
  if (read === null) return { kind: 'unknown', claimed: `a resource that is not base64, ${name}` };
  if (read.bytes === 0) return { kind: 'unknown', claimed: `an empty resource, ${name}` };
  const claimed = claimedType(resource['mimeType']);
  return mediaPart(read, name) ?? { kind: 'blob', mimeType: read.mimeType ?? claimed, bytes: read.bytes, name };
}

function readStructured(structured: unknown, exact: string | undefined): ResultPart {
  const problem = checkJsonBounds(structured, STRUCTURED_BOUNDS);
  if (problem === null) return { kind: 'structured', json: exact ?? JSON.stringify(structured) };
  return {
    kind: 'unknown',
    claimed: problem === 'too-deep' ? 'structured content nested too deeply' : 'structured content that is not JSON or too large',
  };
}

/** Servers repeat structured content as text for older clients; the repetition need not be byte for byte. */
function saysTheSame(part: ResultPart, structured: ResultPart): boolean {
  if (part.kind !== 'text' || structured.kind !== 'structured') return false;
  const text = part.text.trim();
  if (text === structured.json || text === onlyText(structured.json)) return true;
  if (!/^[[{"\d\-tfn]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return (
      checkJsonBounds(value, STRUCTURED_BOUNDS) === null &&
      canonicalJson(value as Json) === canonicalJson(JSON.parse(structured.json) as Json)
    );
  } catch {
    return false;
  }
}

/** Many servers wrap their text in one member, `{"content": "..."}`, and send it twice. */
function onlyText(json: string): string | null {
  const value: unknown = JSON.parse(json);
  const members = isObject(value) ? Object.values(value) : [];
  const [only] = members;
  return members.length === 1 && typeof only === 'string' ? only.trim() : null;
}

function sizeInWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise);
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `a ${typeof value}`);

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
