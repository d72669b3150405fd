import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../../core/delivery/route-event.ts';
import { EVENT_TYPES } from '../../../../core/event/event-types.ts';
import { renamed, terms } from '../../../../core/json-ld/vocabulary.ts';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import { CONTEXT_DOCUMENTS } from '../../../../lambdas/api/reference/context-documents.ts';
import { expandsWithoutLoss } from '../../../support/lambdas/json-ld.ts';
import { openApiDocument } from '../../../support/lambdas/openapi.ts';

const SIGNATURE = {
  '@context': '/contexts/Signature.jsonld',
  '@type': 'Signature',
  id: '/users/u_1/signature',
  content: 'Kind regards',
};

const collectionOf = (...member: object[]) => ({
  '@context': '/contexts/Collection.jsonld',
  '@type': 'Collection',
  id: '/users?role=member',
  totalItems: member.length,
  member,
  view: { '@type': 'PartialCollectionView', id: '/users?limit=1', next: '/users?limit=1&cursor=a' },
});

const INTEGRATION = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  id: '/integrations/8Fq2LmZ0aBcD',
  config: { baseUrl: 'https://hooks.example.com/a/../in', webhookSecret: '[FILTERED]' },
  settings: {
    actions: Object.fromEntries(EVENT_TYPES.map((type) => [type, type.length > 15])),
    onFatalError: 'continue',
  },
  createdAt: '2026-11-20T12:00:00.000Z',
};

describe('a JSON-LD processor', () => {
  it.each([
    ['no members', []],
    ['one member', [SIGNATURE]],
    ['members of several types', [SIGNATURE, INTEGRATION, SIGNATURE]],
  ])('reads a collection with %s', async (_, members) => {
    await expandsWithoutLoss(collectionOf(...members));
  });

  it.each([[[]], [[1]], [[1, 2]]])(
    'reads the attempts %j of a delivery, in order',
    async (numbers) => {
      const attempts = numbers.map((number) => ({ '@type': 'Attempt', number }));
      await expandsWithoutLoss({
        '@context': '/contexts/Delivery.jsonld',
        '@type': 'Delivery',
        id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1',
        attempts,
      });
    },
  );

  it('reads the body of a webhook, whatever its data', async () => {
    const data = { '@type': 'Mine', message: { id: 'msg_1', parts: [[1.5, null], []], '': {} } };
    const { body } = createDelivery(
      {
        id: 'evt_1',
        type: 'message.received',
        account: 'acme',
        occurredAt: '2026-11-20T12:00:00.000Z',
        data,
      },
      '8Fq2LmZ0aBcD',
    );
    await expandsWithoutLoss(JSON.parse(body));
  });

  it.each([
    ['a document', { ...SIGNATURE, colour: 'red' }],
    ['a nested object', { ...INTEGRATION, config: { ...INTEGRATION.config, colour: 'red' } }],
    ['a member of a collection', collectionOf({ ...SIGNATURE, colour: 'red' })],
    ['an unknown type', { ...SIGNATURE, '@type': 'Sinature' }],
  ])('loses what the context does not tell of %s, and the test sees it', async (_, document) => {
    await expect(expandsWithoutLoss(document)).rejects.toThrow(/expected .* to deeply equal/);
  });
});

/** Names that the webhook's contract has for members of a Delivery. */
const SAME_AS: Readonly<Record<string, string>> = {
  action: 'eventType',
  timestamp: 'occurredAt',
  webHook: 'integration',
};

const termOf = (type: string, name: string) => {
  const term = CONTEXT_DOCUMENTS.get(`${type}.jsonld`)?.['@context'][name];
  if (term === undefined) throw new Error(`${type} has no term ${name}.`);
  return term;
};

describe('a context', () => {
  it.each([...CONTEXT_DOCUMENTS])('%s tells each of its terms, and guesses none', (_, document) => {
    const { '@version': version, id, ...terms } = document['@context'];
    expect([version, id]).toEqual([1.1, '@id']);
    for (const [name, term] of Object.entries(terms)) {
      const meaning = typeof term === 'object' ? term['@id'] : term;
      expect(meaning).toBe(`urn:service:vocabulary:${SAME_AS[name] ?? name}`);
    }
  });

  it.each(Object.entries(SAME_AS))(
    'says that %s of a webhook’s body is %s of its delivery',
    (ofBody, ofDelivery) => {
      expect(termOf('WebhookDelivery', ofBody)).toEqual(termOf('Delivery', ofDelivery));
    },
  );

  it('has no term for what another type does not have', () => {
    expect(() => renamed(terms('outcome'), { result: 'outcom' })).toThrow('outcom');
  });
});

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: Schema[];
}

const schemas = openApiDocument().components.schemas as Record<string, Schema>;

const contextOf = ({ properties }: Schema): string | undefined =>
  properties?.['@context']?.const?.toString().replace('/contexts/', '');

const isFreeForm = (context: string, name: string): boolean => {
  const term = CONTEXT_DOCUMENTS.get(context)?.['@context'][name];
  return typeof term === 'object' && term['@type'] === '@json';
};

/** Names of members anywhere in a document, but in those that have a context of their own. */
const memberNames = (schema: Schema, context: string): string[] => {
  const { $ref, properties = {}, items, anyOf = [] } = schema;
  const target = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? ''];
  const parts = [...anyOf, ...(items ? [items] : [])];
  if (target && contextOf(target) === undefined) parts.push(target);
  return [
    ...Object.entries(properties).flatMap(([name, property]) =>
      isFreeForm(context, name) ? [name] : [name, ...memberNames(property, context)],
    ),
    ...parts.flatMap((part) => memberNames(part, context)),
  ];
};

const documents = Object.entries(schemas).flatMap(([name, schema]) => {
  const context = contextOf(schema);
  return context === undefined ? [] : [{ name, context, schema }];
});

const examples = ROUTES.flatMap(({ operationId, answers }) =>
  answers.flatMap(({ examples: ofAnswer = {} }) =>
    Object.entries(ofAnswer)
      .map(([name, { value }]) => ({ title: `${operationId}, ${name}`, value: value as object }))
      .filter(({ value }) => '@type' in value),
  ),
);

describe('a document of the API', () => {
  it.each(examples)('is expanded without loss of a member: $title', async ({ value }) => {
    await expandsWithoutLoss({ ...value });
  });

  it.each(documents)('of the schema $name has a term for every member it can have', (given) => {
    const { '@version': _, ...terms } = CONTEXT_DOCUMENTS.get(given.context)?.['@context'] ?? {};
    const names = memberNames(given.schema, given.context).filter((name) => !name.startsWith('@'));
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !(name in terms))).toEqual([]);
  });

  /** Types of what is only in other documents, which have a context for all of it. */
  const parts = [
    { part: 'Attempt.jsonld', whole: 'Delivery.jsonld' },
    { part: 'PartialCollectionView.jsonld', whole: 'Collection.jsonld' },
  ];

  it.each(parts)('has the terms that its part has by itself: $part', ({ part, whole }) => {
    const termsOf = (document: string) => CONTEXT_DOCUMENTS.get(document)?.['@context'];
    expect(Object.keys(termsOf(part) ?? {}).length).toBeGreaterThan(3);
    expect(termsOf(whole)).toMatchObject(termsOf(part) ?? {});
  });

  it('of every type with a context is looked at here', () => {
    const seen = [...documents.map(({ context }) => context), ...parts.map(({ part }) => part)];
    expect(new Set(seen)).toEqual(new Set(CONTEXT_DOCUMENTS.keys()));
  });
});
