import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { routeIdForModel } from '../../src-shared/egress/route-table';
import type { ModelId } from '../../src-shared/models/model.schema';
import type { EgressDoor } from '../egress/egress-door';
import type { ModelStore } from '../models/model-store';
import type { SecretVault } from '../secrets/secret-vault';
import type { ReadyModel } from './turn-runner';

export interface ReadyModelParts {
  models: Pick<ModelStore, 'rows' | 'get'>;
  vault: Pick<SecretVault, 'read'>;
  door: Pick<EgressDoor, 'fetch'>;
}

/** A model fit to be asked: in order, switched on, its key at hand, and bound to its own route. */
export function readyModel(
  { models, vault, door }: ReadyModelParts,
  id: ModelId,
  conversation: ConversationId,
): Result<ReadyModel, string> {
  const row = models.rows().find((model) => model.id === id);
  const config = models.get(id);
  if (!row || !config) return failed('That model was removed. Choose another one.');
  if (row.refused !== null) return failed(`${row.name} is refused. ${row.refused}`);
  if (!row.on) return failed(`${row.name} is off, so nothing was sent. Turn it on in Settings, Models.`);
  const key = config.key === null ? ok(null) : vault.read(config.key);
  if (!key.ok) return failed(`The key of ${row.name} cannot be read from the keychain. Enter it again in Settings, Models.`);
  return ok({
    modelName: row.name,
    host: row.host,
    baseURL: config.endpoint,
    model: config.model,
    key: key.value,
    fetch: door.fetch(routeIdForModel(id), { conversation }),
    leaves: row.leaves,
  });
}
