import type { ShownSource, ToolApproval } from '../../src-shared/approvals/approval.schema';

export interface FlowPlace {
  source: ShownSource;
  /** As the marks in the arguments name it. */
  nth: number;
  /** The arguments in which its words stand, by place. */
  places: number[];
}

/** Which arguments hold words of which source, and which sources only stand in the chat and are new to the tool (A6). */
export function flowPlaces({ sources = [], arguments: shown }: Pick<ToolApproval, 'sources' | 'arguments'>): {
  contained: FlowPlace[];
  inChat: ShownSource[];
} {
  const all = sources.map((source, nth) => ({
    source,
    nth,
    places: shown.flatMap(({ name, value }, place) => ([...name, ...value].some((piece) => piece.source === nth) ? [place] : [])),
  }));
  return {
    contained: all.filter(({ places }) => places.length > 0),
    inChat: all.filter(({ places, source }) => places.length === 0 && source.fresh > 0).map(({ source }) => source),
  };
}
