import type { DynamoDBRecord } from 'aws-lambda';
import { streamEvent } from 'local-aws/event-sources/stream-event.ts';
import { describe, expect, it } from 'vitest';
import { isLasting } from '../../../../adapters/aws-sdk/lasting-faults.ts';
import { integrationWriteIn } from '../../../../adapters/dynamodb/integrations/integration-changes.ts';
import { buildAnnounceChanges } from '../../../../core/changes/announce-changes.ts';
import { createHandler } from '../../../../lambdas/consumers/announce-changes/handler.ts';
import { idsOf } from '../../../support/changes/changes.ts';
import { InMemoryChangeLog, RecordingBus } from '../../../support/changes/in-memory-changes.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { anObservation } from '../../../support/lambdas/recording-logger.ts';

const SECRET = 'a secret of the tests';

const sealed = (secret: string) => ({
  M: { format: { N: '1' }, keyPair: { S: '000001' }, sealed: { S: secret } },
});

const anItem = (overrides: object = {}) => ({
  account: { S: 'acme' },
  id: { S: '0123456789Ab' },
  active: { BOOL: true },
  config: { M: { baseUrl: { S: 'https://hooks.example.com/in' }, webhookSecret: sealed(SECRET) } },
  settings: { M: { actions: { M: { 'message.received': { BOOL: true } } } } },
  revision: { N: '1' },
  epoch: { N: '0' },
  createdAt: { S: '2026-11-20T12:00:00.000Z' },
  updatedAt: { S: '2026-11-20T12:00:00.000Z' },
  changedBy: { M: { kind: { S: 'operator' }, at: { S: '2026-11-20T12:00:00.000Z' } } },
  ...overrides,
});

const POISON = anItem({ revision: { S: 'one' } });

/** Each a write at its position, beginning with 1. */
const batchOf = (...writes: readonly [before?: object, after?: object][]): DynamoDBRecord[] =>
  streamEvent(
    writes.map(([before, after], index) => ({
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      sequenceNumber: `${index + 1}`,
      at: 0,
    })),
    { streamArn: 'arn', keyNames: ['account', 'id'] },
  ).Records;

const CREATED = [undefined, anItem()] as const;
const COUNTED = [anItem(), anItem({ slowness: { M: { score: { N: '1' } } } })] as const;

const accounts = {
  find: async (name: string) => ({ name, primaryAccount: name, createdAt: '1970-01-01' }),
};

const subject = () => {
  const log = new InMemoryChangeLog();
  const bus = new RecordingBus();
  const deadLetters = new InMemoryDeadLetters();
  const { logger, metrics } = anObservation();
  const handler = createHandler({
    writeIn: integrationWriteIn,
    isLasting,
    announceChanges: buildAnnounceChanges({ accounts, changeLog: log, bus }),
    deadLetters,
    logger,
    metrics,
  });
  return {
    log,
    bus,
    deadLetters,
    logger,
    metrics,
    handle: (Records: DynamoDBRecord[]) => handler({ Records }),
  };
};

describe('announce-changes', () => {
  it('announces what a batch changes, and reports nothing', async () => {
    const { handle, bus, logger } = subject();

    expect(await handle(batchOf([...CREATED], [...COUNTED]))).toEqual({ batchItemFailures: [] });
    expect(idsOf(bus.told)).toEqual(['chg_1-created']);
    expect(logger.named('changes.announced')).toEqual([{ changes: 1 }]);
  });

  it('writes no line about a batch that only counts', async () => {
    const { handle, logger } = subject();
    await handle(batchOf([...COUNTED]));

    expect(logger.text).toBe('[]');
  });

  it('counts integrations that become busy or failed, when that is announced', async () => {
    const { handle, bus, metrics } = subject();
    const since = { S: '2026-11-20T12:00:00.000Z' };
    const inTrouble = (kind: string) =>
      anItem({ trouble: { M: { kind: { S: kind }, since, nextAttemptAt: since } } });
    const batch = batchOf(
      [anItem(), inTrouble('waiting')],
      [anItem(), inTrouble('busy')],
      [anItem(), inTrouble('failed')],
      [inTrouble('failed'), inTrouble('failed')],
      [inTrouble('failed'), anItem()],
    );
    const publish = bus.publish.bind(bus);
    bus.publish = async () => {
      throw new Error('the bus is down');
    };
    await handle(batch);
    bus.publish = publish;
    await handle(batch);

    expect(metrics.flushed).toEqual({ RecordsFailed: 1, IntegrationsStopped: 2 });
  });

  it('reports the first write when a step fails, then repeats the same ids', async () => {
    const { handle, bus, log, logger, metrics } = subject();
    const publish = bus.publish.bind(bus);
    bus.publish = async () => {
      throw new Error('the bus is down');
    };
    const batch = batchOf([...COUNTED], [...CREATED], [anItem(), undefined]);

    expect(await handle(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(logger.named('changes.not_announced')).toMatchObject([
      { writes: 3, error: 'Error: the bus is down' },
    ]);
    expect(metrics.flushed).toEqual({ RecordsFailed: 1 });
    const logged = log.all;
    bus.publish = publish;
    expect(await handle(batch.slice(1))).toEqual({ batchItemFailures: [] });
    expect(metrics.flushed).toEqual({ RecordsFailed: 1 });
    expect(idsOf(logged)).toEqual(['chg_2-created', 'chg_3-deleted']);
    expect(log.all).toEqual(logged);
    expect(bus.told).toEqual(logged);
  });

  /** Passes the schema, but no secret is null. */
  const withSecret = (webhookSecret: object) =>
    anItem({
      revision: { N: '2' },
      config: { M: { baseUrl: { S: 'https://a.example/' }, webhookSecret } },
    });
  const UNTELLABLE = [anItem(), withSecret({ NULL: true })] as const;

  it('announces all but a write that can never be announced, which it keeps', async () => {
    const { handle, bus, log, deadLetters, logger } = subject();
    const batch = batchOf([...CREATED], [...UNTELLABLE], [anItem(), undefined]);

    expect(await handle(batch)).toEqual({ batchItemFailures: [] });
    expect(idsOf(log.all)).toEqual(['chg_1-created', 'chg_3-deleted']);
    expect(idsOf(bus.told)).toEqual(['chg_1-created', 'chg_3-deleted']);
    expect(deadLetters.letters.map(({ text }) => JSON.parse(text).sequenceNumber)).toEqual(['2']);
    expect(logger.named('change.unreadable')).toMatchObject([
      { sequenceNumber: '2', reason: expect.stringMatching(/^TypeError: /) },
    ]);
  });

  it('announces all but a write that AWS refuses for its content', async () => {
    const { handle, bus, deadLetters } = subject();
    const publish = bus.publish.bind(bus);
    bus.publish = async (changes) => {
      if (idsOf(changes).includes('chg_2-deleted')) {
        throw Object.assign(new Error('too large'), { name: 'ValidationException' });
      }
      await publish(changes);
    };

    expect(await handle(batchOf([...CREATED], [anItem(), undefined], [...CREATED]))).toEqual({
      batchItemFailures: [],
    });
    expect(idsOf(bus.told)).toEqual(['chg_1-created', 'chg_3-created']);
    expect(deadLetters.letters).toHaveLength(1);
  });

  it('reports the write at which a step fails, after an unannounceable one', async () => {
    const { handle, bus, deadLetters } = subject();
    const publish = bus.publish.bind(bus);
    bus.publish = async (changes) => {
      if (idsOf(changes).includes('chg_3-deleted')) throw new Error('the bus is down');
      await publish(changes);
    };
    const batch = batchOf([...CREATED], [...UNTELLABLE], [anItem(), undefined], [...CREATED]);

    expect(await handle(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '3' }] });
    expect(deadLetters.letters).toHaveLength(1);
  });

  it('reports a write that can never be announced and cannot be kept', async () => {
    const { handle, deadLetters } = subject();
    deadLetters.add = async () => {
      throw new Error('no queue');
    };

    expect(await handle(batchOf([...CREATED], [...UNTELLABLE], [...CREATED]))).toEqual({
      batchItemFailures: [{ itemIdentifier: '2' }],
    });
  });

  it('makes an unreadable write a dead letter, and announces the others', async () => {
    const { handle, bus, deadLetters, logger } = subject();

    expect(await handle(batchOf([...CREATED], [undefined, POISON], [anItem(), undefined]))).toEqual(
      {
        batchItemFailures: [],
      },
    );
    expect(bus.told.map(({ kind }) => kind)).toEqual(['created', 'deleted']);
    expect(deadLetters.letters.map(({ text }) => JSON.parse(text))).toEqual([
      { sequenceNumber: '2', keys: { account: { S: 'acme' }, id: { S: '0123456789Ab' } } },
    ]);
    expect(logger.named('change.unreadable')).toMatchObject([
      { reason: expect.stringMatching(/revision/) },
    ]);
  });

  it('reports an unreadable write that cannot be kept', async () => {
    const { handle, deadLetters } = subject();
    deadLetters.add = async () => {
      throw new Error('no queue');
    };

    expect(await handle(batchOf([...CREATED], [undefined, POISON]))).toEqual({
      batchItemFailures: [{ itemIdentifier: '2' }],
    });
  });

  it('writes no secret into its log, on the bus or among the dead letters', async () => {
    const { handle, bus, deadLetters, logger } = subject();
    const rotated = anItem({
      revision: { N: '2' },
      config: { M: { baseUrl: { S: 'https://a.example/' }, webhookSecret: sealed(`${SECRET} 2`) } },
    });
    await handle(batchOf([anItem(), rotated], [undefined, POISON]));

    expect(bus.told.map(({ kind }) => kind)).toEqual(['settings-changed', 'secret-rotated']);
    expect(JSON.stringify([bus.told, deadLetters.letters, logger.text])).not.toContain(SECRET);
  });
});
