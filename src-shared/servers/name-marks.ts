import { BUILT_IN_NAMES } from '../tools/publish-name-rule';
import { quotableName } from '../tools/quotable-name';
import { skeleton } from './confusable';
import type { ServerId } from './server.schema';

export interface NamedServer {
  id: ServerId;
  name: string;
  namespace: string | null;
}

/** A name, and words that stand after it: "looks like “github”, which is another server". */
export interface NameMark {
  name: string;
  words: string;
}

interface Look {
  id: ServerId;
  text: string;
}

const BUILT_IN_LOOKS = new Map(BUILT_IN_NAMES.map((name) => [skeleton(name), name]));
const SEPARATOR = '__';

/**
 * Says in words whose name another name looks like: another server's, or one of the app's own tools (N7).
 * Made once for all servers; it decides nothing, and no name is refused for its look.
 */
export class NameMarks {
  readonly #looks = new Map<string, Look[]>();
  readonly #servers = new Map<ServerId, NamedServer>();
  readonly #tools = new Map<string, string | null>();

  constructor(servers: readonly NamedServer[]) {
    for (const server of servers) {
      this.#servers.set(server.id, server);
      for (const text of namesOf(server)) {
        const look = skeleton(text);
        this.#looks.set(look, [...(this.#looks.get(look) ?? []), { id: server.id, text }]);
      }
    }
  }

  ofServer(id: ServerId): NameMark[] {
    const server = this.#servers.get(id);
    if (!server) return [];
    const marks = namesOf(server).flatMap((name) => {
      const words = this.#markOf(name, id);
      return words === null ? [] : [{ name, words }];
    });
    return marks.filter(({ words }, at) => marks.findIndex((mark) => mark.words === words) === at);
  }

  /** Null for a tool whose name looks like nobody else's. */
  ofTool(id: ServerId, rawName: string): string | null {
    const key = `${id} ${rawName}`;
    const known = this.#tools.get(key);
    if (known !== undefined) return known;
    // A raw name of published shape speaks for the server it names (X2).
    const end = rawName.indexOf(SEPARATOR);
    const mark = this.#markOf(rawName, id) ?? (end > 0 ? this.#serverMark(rawName.slice(0, end), id) : null);
    this.#tools.set(key, mark);
    return mark;
  }

  #markOf(name: string, own: ServerId): string | null {
    const builtIn = BUILT_IN_LOOKS.get(skeleton(name));
    if (builtIn === undefined) return this.#serverMark(name, own);
    return name === builtIn
      ? 'is also the name of one of Portcullis’s own tools'
      : `looks like “${builtIn}”, which is one of Portcullis’s own tools`;
  }

  #serverMark(name: string, own: ServerId): string | null {
    const other = this.#looks.get(skeleton(name))?.find(({ id }) => id !== own);
    return other ? `looks like “${quotableName(other.text, 60)}”, which is another server` : null;
  }
}

const namesOf = ({ name, namespace }: NamedServer): string[] => (namespace === null ? [name] : [name, namespace]);
