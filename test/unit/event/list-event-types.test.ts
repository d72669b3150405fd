import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventTypeCollection } from '../../../core/event/event-type-resource.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { createHandler } from '../../../lambdas/api/reference/list-event-types/handler.ts';
import { route } from '../../../lambdas/api/reference/list-event-types/route.ts';
import { anApiEvent, call, documentOf } from '../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../support/lambdas/recording-logger.ts';

const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };

const get = () =>
  call(
    createHandler({ logger: new RecordingLogger() }),
    anApiEvent({ path: '/event-types', authorizer: MEMBER }),
  );

/** As whoever reads the answer gets them. */
const listed = async () => eventTypeCollection.parse(documentOf(await get())).member;

describe('GET /event-types', () => {
  it('shows a member each event type on one page, in the contract’s order', async () => {
    const result = await get();
    expect(result).toMatchObject({
      statusCode: 200,
      headers: { 'Content-Type': 'application/vnd.service+jsonld' },
    });
    expect(documentOf(result)).toMatchObject({
      '@context': '/contexts/Collection.jsonld',
      '@type': 'Collection',
      id: '/event-types',
      totalItems: EVENT_TYPES.length,
      member: EVENT_TYPES.map((name) => ({
        '@context': '/contexts/EventType.jsonld',
        '@type': 'EventType',
        id: `/event-types#${name}`,
        name,
      })),
      view: { '@type': 'PartialCollectionView', id: '/event-types' },
    });
    expect(documentOf(result).view).not.toHaveProperty('next');
  });

  it('answers what its route says it does', async () => {
    const [{ schema, examples }] = route.answers;
    const document = documentOf(await get());
    expect(schema.parse(document)).toEqual(document);
    expect(examples.all.value).toEqual(document);
  });

  it('says when each is sent, in the words of the webhook contract', async () => {
    const page = await readFile(
      new URL('../../../docs/integrators/webhooks.md', import.meta.url),
      'utf8',
    );
    for (const { name, description } of await listed()) {
      const sentWhen = page.match(new RegExp(`^\\| \`${name}\` \\| ([^|]+) \\|`, 'm'))?.[1];
      expect(description).toBe(`Sent when ${sentWhen}.`);
    }
  });

  it('has schemas that say which JSON Schema they are, and need nothing else', async () => {
    for (const { schema } of await listed()) {
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
      });
      expect(JSON.stringify(schema)).not.toMatch(/"\$(?:ref|defs|id)"|~standard/);
    }
  });

  it('loses nothing of its schemas when it is written as JSON', async () => {
    const inMemory = route.answers[0].examples.all.value.member.map(({ schema }) => schema);
    expect((await listed()).map(({ schema }) => schema)).toStrictEqual(inMemory);
    for (const schema of inMemory)
      expect(Object.getOwnPropertyNames(schema)).not.toContain('~standard');
  });

  it('describes every member that it names', async () => {
    for (const { name, schema } of await listed()) {
      for (const [path, member] of membersOf(schema)) {
        expect(member.description, `${name} ${path}`).toMatch(/^\S.*\.$/);
      }
    }
  });
});

interface ObjectSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
}

const membersOf = ({ properties = {} }: ObjectSchema, parent = ''): [string, ObjectSchema][] =>
  Object.entries(properties).flatMap(([name, member]) => [
    [`${parent}/${name}`, member] as [string, ObjectSchema],
    ...membersOf(member, `${parent}/${name}`),
  ]);
