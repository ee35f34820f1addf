import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src-shared/base/sha256';
import {
  BUILT_IN_NAMES,
  createPublisher,
  isBuiltInName,
  isPublishedName,
  publishedName,
  resolveFolded,
} from '../../../src-shared/tools/publish-name-rule';

const hash = (rawName: string) => sha256Hex(rawName).slice(0, 8);

describe('publishedName', () => {
  const unchanged: [namespace: string, rawName: string][] = [
    ['tracker', 'find_all'],
    ['tracker', 'get-Item'],
    ['t', '9lives'],
    ['tracker', 'a__b'],
    ['tracker', '_'],
    ['tracker', '__proto__'],
    ['tracker', 'constructor'],
    ['tracker', 'Echo'],
    ['tracker', 'echo'],
    ['tracker', 'x'.repeat(55)],
    ['github', 'load_skill'],
    ['a_b', 'github__create_issue'],
  ];
  test.each(unchanged)('N2: %s publishes the legal name %s unchanged', (namespace, rawName) => {
    expect(publishedName(namespace, rawName)).toBe(`${namespace}__${rawName}`);
  });

  const rewritten: [rawName: string, folded: string][] = [
    ['calendar.respondToEvent', 'calendar_respondToEvent'],
    ['user-profile/update', 'user-profile_update'],
    ['GET:/patterns/names', 'GET__patterns_names'],
    ['New Tool', 'New_Tool'],
    ['suche_größe', 'suche_gr__e'],
    ['天気', '__'],
    ['run🚀', 'run_'],
    ['tool\u200bname', 'tool_name'],
    ['read_fi1\u0435', 'read_fi1_'],
  ];
  test.each(rewritten)('N2: %j is rewritten to %s and its hash', (rawName, folded) => {
    expect(publishedName('srv', rawName)).toBe(`srv__${folded}_${hash(rawName)}`);
  });

  test('N2: the longest legal name fits in 64 characters and one more is cut to 64 with its hash', () => {
    const fits = 'x'.repeat(64 - 'srv__'.length);
    expect(publishedName('srv', fits)).toBe(`srv__${fits}`);
    const cut = publishedName('srv', `${fits}x`);
    expect(cut).toHaveLength(64);
    expect(cut.endsWith(`_${hash(`${fits}x`)}`)).toBe(true);
  });

  test('N2 (B33): names that differ only in the middle of a long text stay two names', () => {
    const names = ['CREATE', 'DELETE'].map((verb) =>
      publishedName('wiki', `manage_the_corporate_wiki_pages_${verb}_with_all_attachments_and_permissions`),
    );
    expect(new Set(names).size).toBe(2);
  });

  test('N2 (B33): get.item, get/item and get_item are three names', () => {
    expect(new Set(['get.item', 'get/item', 'get_item'].map((rawName) => publishedName('srv', rawName))).size).toBe(3);
  });

  test('N2: a legal raw name that looks like a rewritten one really meets it, so the plan has to refuse both', () => {
    const impostor = `get_item_${hash('get.item')}`;
    expect(publishedName('srv', impostor)).toBe(publishedName('srv', 'get.item'));
  });

  const namespaces = fc.stringMatching(/^[a-z](?:[a-z0-9_-]{0,22}[a-z0-9])?$/).filter((text) => !text.includes('__'));
  const rawNames = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });

  test('N2: any raw name in any legal namespace is published in the shape every provider takes', () => {
    fc.assert(
      fc.property(namespaces, rawNames, (namespace, rawName) => {
        const published = publishedName(namespace, rawName);
        expect(published).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(published.startsWith(`${namespace}__`)).toBe(true);
        expect(isPublishedName(published)).toBe(true);
        expect(isBuiltInName(published)).toBe(false);
      }),
    );
  });

  test('N2: the publisher of a plan gives the same names as the rule, however often it is asked', () => {
    const publish = createPublisher();
    fc.assert(
      fc.property(namespaces, rawNames, (namespace, rawName) => {
        expect([publish(namespace, rawName), publish(namespace, rawName)]).toEqual(
          Array(2).fill(publishedName(namespace, rawName)),
        );
      }),
    );
  });

  test('N2: two namespaces never publish one name', () => {
    fc.assert(
      fc.property(namespaces, namespaces, rawNames, rawNames, (one, other, left, right) => {
        fc.pre(one !== other);
        expect(publishedName(one, left)).not.toBe(publishedName(other, right));
      }),
    );
  });
});

describe('isPublishedName', () => {
  test.each(['github__create_issue', 'a__b', 'a_b__c', 'a__b__c', 'a-1___x', `a__${'x'.repeat(61)}`, 'gone__1'])(
    'N5: %s has the shape',
    (name) => {
      expect(isPublishedName(name)).toBe(true);
    },
  );

  const others = [
    '',
    '__',
    '__x',
    'a__',
    'a_b',
    'A__b',
    '1a__b',
    '-a__b',
    'a-__b',
    'a__b.c',
    'a__b c',
    'a__bé',
    'a b__c',
    `a__${'x'.repeat(62)}`,
    `${'a'.repeat(25)}__b`,
    'a__b\n',
  ];
  test.each([...others, ...BUILT_IN_NAMES])('N5: %j does not', (name) => {
    expect(isPublishedName(name)).toBe(false);
  });
});

describe('built-in names', () => {
  test('N4: there are twelve and each is reserved', () => {
    expect(new Set(BUILT_IN_NAMES).size).toBe(12);
    expect(BUILT_IN_NAMES.every(isBuiltInName)).toBe(true);
  });

  test.each(['Load_skill', 'load_skill ', 'toString', '__proto__', ''])('N4: %j is not one of them', (name) => {
    expect(isBuiltInName(name)).toBe(false);
  });
});

describe('resolveFolded', () => {
  const reviewed = ['find.all', 'get.item', 'get/item', 'get_item', 'plain', 'a.b', 'a_b', `x.y`, `x_y_${hash('x.y')}`];
  const table: [because: string, text: string, rawName: string | null][] = [
    ['the folding of one tool', 'tracker__find_all', 'find.all'],
    ['a published name', `tracker__find_all_${hash('find.all')}`, 'find.all'],
    ['a legal name means its own tool though two others fold to it', 'tracker__get_item', 'get_item'],
    ['a plain name', 'tracker__plain', 'plain'],
    ['an exact name wins over a folding', 'tracker__a_b', 'a_b'],
    ['a name two tools publish', `tracker__x_y_${hash('x.y')}`, null],
    ['another namespace', 'other__find_all', null],
    ['a bare name', 'find_all', null],
    ['a raw name', 'find.all', null],
    ['nothing of the kind', 'tracker__missing', null],
    ['other case', 'tracker__Find_all', null],
  ];
  test.each(table)('N2: %s (%s) resolves to %j', (_because, text, rawName) => {
    expect(resolveFolded('tracker', text, reviewed)).toBe(rawName);
  });

  test('N2: a folding that two tools share means none of them', () => {
    expect(resolveFolded('tracker', 'tracker__get_item', ['get.item', 'get/item'])).toBeNull();
  });

  test('N2: a tool listed twice is still one tool', () => {
    expect(resolveFolded('tracker', 'tracker__find_all', ['find.all', 'find.all'])).toBe('find.all');
  });
});
