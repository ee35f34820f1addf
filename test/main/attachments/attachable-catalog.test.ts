import { describe, expect, test } from 'vitest';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { PlannedServer } from '../../../src-shared/tools/registry-plan';
import { AttachableCatalog, openAttachablesFile } from '../../../src-main/attachments/attachable-catalog';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const resource = { uri: 'notes://1', name: 'Plan', description: 'The plan' };
const template = { uriTemplate: 'notes://{id}', name: 'A note', description: '' };
const prompt = {
  rawName: 'greet',
  title: 'Greet',
  description: '',
  arguments: [{ name: 'who', description: 'Whom', required: true }],
};

function setUp(folder = tempFolder()) {
  const servers: PlannedServer[] = [{ id: notes, name: 'Notes', namespace: 'notes', on: true, down: false }];
  let changes = 0;
  const catalog = new AttachableCatalog({
    document: openAttachablesFile(folder),
    servers: () => servers,
    mask: (text) => text.replaceAll('hunter2', '•••'),
    changed: () => (changes += 1),
  });
  return { catalog, folder, servers, changes: () => changes };
}

describe('AttachableCatalog', () => {
  test('R2: keeps the last known list from one run to the next', () => {
    const { catalog, folder } = setUp();
    catalog.learn(notes, { resources: [resource], templates: [template], prompts: [prompt] });
    expect(setUp(folder).catalog.rows()).toMatchObject([
      { kind: 'resource', ref: 'notes://1', name: 'Plan', serverName: 'Notes', fields: [] },
      { kind: 'template', ref: 'notes://{id}', fields: [{ name: 'id', required: true }] },
      { kind: 'prompt', ref: 'greet', fields: [{ name: 'who', label: 'who', description: 'Whom', required: true }] },
    ]);
  });

  test('W6: a kind that could not be listed stays as it was', () => {
    const { catalog } = setUp();
    catalog.learn(notes, { resources: [resource], templates: [], prompts: [prompt] });
    catalog.learn(notes, { resources: [] });
    expect(catalog.rows().map(({ kind }) => kind)).toEqual(['prompt']);
  });

  test('R2: a server that is off offers nothing, and removal forgets', () => {
    const { catalog, folder, servers } = setUp();
    catalog.learn(notes, { resources: [resource] });
    servers[0] = { ...servers[0]!, on: false };
    expect(catalog.rows()).toEqual([]);
    expect(catalog.find(notes, 'resource', 'notes://1')).toBeNull();
    catalog.forget(notes);
    servers[0] = { ...servers[0]!, on: true };
    expect(catalog.rows()).toEqual([]);
    expect(setUp(folder).catalog.rows()).toEqual([]);
  });

  test('O1: what is shown is stripped and on one line; what is asked for stays as it is', () => {
    const { catalog } = setUp();
    catalog.learn(notes, { resources: [{ uri: 'notes://\u202e1', name: '\u001b[31mPl\u200ban\n!', description: 'a\nb' }] });
    expect(catalog.rows()).toMatchObject([{ ref: 'notes://\u202e1', name: 'Plan !', description: 'a b' }]);
  });

  test('S5: secrets are masked, and an entry with one in its very address is left out', () => {
    const { catalog } = setUp();
    catalog.learn(notes, {
      resources: [resource, { uri: 'notes://hunter2', name: 'x', description: '' }],
      prompts: [{ ...prompt, title: 'say hun\u200bter2' }],
    });
    expect(catalog.rows().map(({ name }) => name)).toEqual(['Plan', 'say •••']);
  });

  test('R3: the same list once more is no change', () => {
    const { catalog, changes } = setUp();
    catalog.learn(notes, { resources: [resource] });
    catalog.learn(notes, { resources: [resource] });
    expect(changes()).toBe(1);
  });

  test('W8: a template that is none is not offered', () => {
    const { catalog } = setUp();
    catalog.learn(notes, { templates: [{ ...template, uriTemplate: 'notes://{' }] });
    expect(catalog.rows()).toEqual([]);
  });
});
