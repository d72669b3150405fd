import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { streamEvent } from 'local-aws/event-sources/stream-event.ts';
import { type EmulatedTables, startTables } from 'local-aws/test/support/tables.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { integrationWriteIn } from '../../adapters/dynamodb/integrations/integration-changes.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import { changesBetween } from '../../core/changes/changes-between.ts';
import { UnreadableChange } from '../../core/delivery/message-format.ts';
import { trouble } from '../support/adapters/trouble-state-subjects.ts';
import { BY_ADA } from '../support/changes/changes.ts';
import stored100 from '../support/formats/stored-1.0.0.json' with { type: 'json' };
import { anIntegration, byAdaAt } from '../support/integration/integrations.ts';

const AT = '2026-11-21T08:00:00.000Z';
const CREATED = anIntegration({ createdAt: AT, changedBy: byAdaAt(AT) });

describe('the stream of the integrations', () => {
  let tables: EmulatedTables;
  let streamed: Awaited<ReturnType<EmulatedTables['createStreamedTable']>>;
  let integrations: DynamoDbIntegrationWriter;
  let states: DynamoDbTroubleStates;
  beforeAll(async () => {
    tables = await startTables();
  });
  beforeEach(async () => {
    streamed = await tables.createStreamedTable('account', 'id');
    integrations = new DynamoDbIntegrationWriter(tables.client, streamed.table);
    states = new DynamoDbTroubleStates(tables.client, streamed.table);
    await integrations.add(CREATED);
  });
  afterAll(() => tables.stop());

  const nextRecords = async (): Promise<readonly DynamoDBRecord[]> => {
    const { signal } = new AbortController();
    const changes = await streamed.stream.next({ maximum: 1_000, windowMs: 1, signal });
    const { keyNames } = streamed.stream;
    return streamEvent(changes, { streamArn: 'arn', keyNames }).Records;
  };
  const told = async () => (await nextRecords()).map(integrationWriteIn).flatMap(changesBetween);

  it('has the integration before and after a write, and when it was written', async () => {
    await integrations.replace({ ...CREATED, epoch: 2, active: false }, CREATED);
    const [added, replaced] = (await nextRecords()).map(integrationWriteIn);

    expect(added).toEqual({
      id: expect.stringMatching(/^chg_\d{21}$/),
      writtenAt: expect.any(Date),
      before: undefined,
      after: JSON.parse(JSON.stringify(CREATED)),
    });
    expect(Math.abs(Date.now() - Number(added?.writtenAt))).toBeLessThan(60_000);
    expect(replaced).toMatchObject({ before: { active: true }, after: { active: false } });
    expect(replaced?.id).not.toBe(added?.id);
  });

  it('has a filter exactly as it was written, whatever its names', async () => {
    const filter = '{"constructor":["x"],"b":[1.5,null],"a":["\u20ac"]}';
    const settings = { ...CREATED.settings, filter };
    await integrations.replace({ ...CREATED, epoch: 2, revision: 2, settings }, CREATED);
    expect(await told()).toMatchObject([
      { kind: 'created' },
      { kind: 'settings-changed', members: [{ name: 'settings.filter', to: filter }] },
    ]);
  });

  it('tells who created, deactivated and deleted it', async () => {
    const by = byAdaAt('2026-11-21T09:00:00.000Z');
    const changed = {
      ...CREATED,
      revision: 2,
      epoch: 2,
      active: false,
      updatedAt: by.at,
      changedBy: by,
    };
    await integrations.replace(changed, CREATED);
    await integrations.remove(changed, byAdaAt('2026-11-21T10:00:00.000Z'));

    expect(await told()).toMatchObject([
      { kind: 'created', at: AT, by: BY_ADA },
      { kind: 'deactivated', at: by.at, by: BY_ADA },
      { kind: 'deleted', at: '2026-11-21T10:00:00.000Z', by: BY_ADA },
    ]);
  });

  it('tells of its trouble and of the end, and of none of the counts between', async () => {
    await states.noteSlowness(CREATED, { score: 3, notedAt: AT });
    await states.begin(CREATED, trouble());
    await states.noteAttempt(CREATED, { statusCode: 503, lastAttemptAt: AT });
    await states.countSetAside(CREATED, 1);
    await states.recover(CREATED);

    expect((await told()).map(({ kind, statusCode }) => [kind, statusCode])).toEqual([
      ['created', undefined],
      ['failed', 500],
      ['event-set-aside', undefined],
      ['recovered', 503],
    ]);
  });

  it('has items of each released version', async () => {
    await nextRecords();
    const items = stored100.tables.integrations;
    for (const Item of items) {
      await tables.client.send(new PutCommand({ TableName: streamed.table, Item }));
    }

    expect((await told()).map(({ kind, integration }) => [kind, integration])).toEqual(
      items.map(({ id }) => ['created', `/integrations/${id}`]),
    );
  });

  it.each([
    ['an item without an address', { config: { M: {} } }, /config\.baseUrl/],
    ['an unknown trouble', { trouble: { M: { kind: { S: 'lost' } } } }, /trouble\.kind/],
    ['an attribute of another type', { setAside: { B: 'AAAA' } }, /setAside/],
  ])('cannot be read with %s, of which it shows no value', async (_case, attributes, reason) => {
    const [record] = await nextRecords();
    const { NewImage } = record?.dynamodb ?? {};
    const wrong = { dynamodb: { ...record?.dynamodb, NewImage: { ...NewImage, ...attributes } } };

    expect(() => integrationWriteIn(wrong)).toThrow(UnreadableChange);
    expect(() => integrationWriteIn(wrong)).toThrow(reason);
  });

  it('cannot be read without any image, or at all', () => {
    const dynamodb = { SequenceNumber: '1', ApproximateCreationDateTime: 1 };
    expect(() => integrationWriteIn({ dynamodb })).toThrow(UnreadableChange);
    expect(() => integrationWriteIn(undefined)).toThrow(UnreadableChange);
  });
});
