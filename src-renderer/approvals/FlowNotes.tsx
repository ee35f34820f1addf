import { Fragment } from 'react';
import type { ShownSource, ToolApproval } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { Button } from '../ui/Button';
import { InlineCode, Visible } from '../ui/Code';
import { Note } from '../ui/Note';
import { flowPlaces } from './flow-places';

const CAME_BY: Record<ShownSource['kind'], string> = {
  result: 'read in this chat',
  resource: 'attached in this chat',
  prompt: 'attached in this chat',
};

function Source({ source, counted = false }: { source: ShownSource; counted?: boolean }) {
  return (
    <bdi>
      <b>{source.serverName}</b> ·{' '}
      <InlineCode>
        <Visible text={source.name} />
      </InlineCode>
      {counted && source.fresh > 1 && ` (${source.fresh} results)`}
    </bdi>
  );
}

function between(index: number, count: number): string {
  if (index === 0) return '';
  return index === count - 1 ? ' and ' : ', ';
}

/** Says whose text is in the chat, and in which argument it stands (A6). */
export function FlowNotes({ request, onShow }: { request: ToolApproval; onShow(place: number, source: number): void }) {
  const { contained, inChat } = flowPlaces(request);
  const nameAt = (place: number): string => visibleToString(request.arguments[place]?.name ?? []);
  return (
    <>
      {contained.map(({ source, nth, places }) => (
        <Note
          key={nth}
          role="leave"
          action={places.map((place) => (
            <Button
              key={place}
              small
              look="quiet"
              aria-label={`Show text from ${source.serverName} in ${nameAt(place)}`}
              onClick={() => onShow(place, nth)}
            >
              Show
            </Button>
          ))}
        >
          Contains text from <Source source={source} />, {CAME_BY[source.kind]}. It is underlined below, in{' '}
          {places.map((place, index) => (
            <Fragment key={place}>
              {between(index, places.length)}
              <InlineCode>{nameAt(place)}</InlineCode>
            </Fragment>
          ))}
          .
        </Note>
      ))}
      {inChat.length > 0 && (
        <Note role="leave">
          Text from{' '}
          {inChat.map((source, index) => (
            <Fragment key={index}>
              {between(index, inChat.length)}
              <Source source={source} counted />
            </Fragment>
          ))}{' '}
          is in this chat, and no answer of yours about this tool came after it.
        </Note>
      )}
    </>
  );
}
