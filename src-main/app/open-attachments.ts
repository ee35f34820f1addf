import type { Clock } from '../../src-shared/base/clock';
import { AttachableCatalog, openAttachablesFile } from '../attachments/attachable-catalog';
import { AttachmentDesk, type AttachmentDeskParts } from '../attachments/attachment-desk';
import type { ViewPublisher } from '../ipc/publish-views';
import type { Stores } from './open-stores';
import type { ServerProjection } from './server-projection';

export interface AttachmentRoomParts extends Pick<AttachmentDeskParts, 'useSession' | 'recordProgramCall'> {
  folder: string;
  clock: Clock;
  stores: Pick<Stores, 'conversations' | 'mask'>;
  projection: Pick<ServerProjection, 'planned' | 'faceOf'>;
  publisher: Pick<ViewPublisher, 'changed'>;
}

/** What servers have to attach, and the desk that fetches it (W8). */
export function openAttachments(parts: AttachmentRoomParts): { attachables: AttachableCatalog; attachments: AttachmentDesk } {
  const { folder, clock, projection, publisher, useSession, recordProgramCall } = parts;
  const { conversations, mask } = parts.stores;
  const attachables = new AttachableCatalog({
    document: openAttachablesFile(folder),
    servers: () => projection.planned(),
    mask,
    changed: () => publisher.changed('attachables'),
  });
  const attachments = new AttachmentDesk({
    ...{ clock, mask, catalog: attachables, kept: conversations.keptOutput, useSession, recordProgramCall },
    faceOf: (id) => projection.faceOf(id),
    changed: () => publisher.changed('conversations'),
  });
  return { attachables, attachments };
}
