import { describe, expect, it } from 'vitest';
import { deliveryAddedBy } from '../../../../adapters/dynamodb/delivery-index/delivery-index-changes.ts';
import { countedIn } from '../../../../adapters/dynamodb/delivery-log/delivery-log-changes.ts';
import { deflated } from '../../../../adapters/dynamodb/table/stored-deliveries.ts';
import type { DeliveryIndex } from '../../../../core/delivery/search/delivery-index.ts';
import {
  type AttemptCounts,
  buildCountAttempts,
} from '../../../../core/delivery/statistics/count-attempts.ts';
import { createHandler } from '../../../../lambdas/consumers/count-attempts/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryIndex } from '../../../support/delivery/in-memory-delivery-index.ts';
import { InMemoryStatistics } from '../../../support/delivery/statistics/in-memory-statistics.ts';
import { aChange, OF_CHANGES } from '../../../support/lambdas/log-changes.ts';
import { anObservation } from '../../../support/lambdas/recording-logger.ts';

const NOW_S = Date.parse('2026-11-20T12:10:00.000Z') / 1_000;

const aMessage = (SequenceNumber: string, subject: string, { secondsOld = 60 } = {}) => {
  const { dynamodb, ...change } = aChange(SequenceNumber);
  const body = JSON.stringify({ data: { message: { id: subject } } });
  const NewImage = {
    ...dynamodb.NewImage,
    account: { S: 'acme' },
    type: { S: 'message.received' },
    deflated: { B: Buffer.from(deflated(body)).toString('base64') },
    expiresAt: { N: `${NOW_S}` },
  };
  const ApproximateCreationDateTime = NOW_S - secondsOld;
  return { ...change, dynamodb: { ...dynamodb, NewImage, ApproximateCreationDateTime } };
};

const failingIndex = async () => {
  throw new Error('throttled');
};

const subjectOf = ({
  through = (counts) => counts,
  deadLetters = new InMemoryDeadLetters(),
  index = new InMemoryDeliveryIndex(),
  add = index.add.bind(index),
}: {
  through?: (counts: AttemptCounts) => AttemptCounts;
  deadLetters?: InMemoryDeadLetters;
  index?: InMemoryDeliveryIndex;
  add?: DeliveryIndex['add'];
} = {}) => {
  const statistics = new InMemoryStatistics();
  const { logger, metrics } = anObservation();
  const pausesMs: number[] = [];
  const handler = createHandler({
    additionsOf: (change) => ({
      attempts: countedIn(change),
      delivery: deliveryAddedBy(change),
    }),
    index: { add },
    now: () => new Date(NOW_S * 1_000),
    sleep: async (milliseconds) => {
      pausesMs.push(milliseconds);
    },
    countAttempts: buildCountAttempts({ counts: through(statistics) }),
    deadLetters,
    logger,
    metrics,
  });
  const handle = (...Records: object[]) => handler({ shardId: 'shardId-1', Records });
  const endWindow = () => handler({ shardId: 'shardId-1' });
  const delivered = async () => {
    const { integration: id, hour } = OF_CHANGES;
    return (
      (await statistics.hoursSince({ account: 'acme', id }, hour)).get(hour)?.counts.delivered ?? 0
    );
  };
  const indexed = async (subject: string) => {
    const days = { from: 0, to: 1e6 };
    const key = { account: 'acme', subject };
    return (await index.positionsOf(key, [OF_CHANGES.integration], days)).positions.length;
  };
  return { handle, endWindow, delivered, indexed, deadLetters, logger, metrics, pausesMs };
};

describe('count-attempts', () => {
  it('counts what a batch adds, and reports nothing', async () => {
    const { handle, delivered, logger } = subjectOf();

    expect(await handle(aChange('101'), aChange('102'))).toEqual({
      state: {},
      batchItemFailures: [],
    });
    expect(await delivered()).toBe(2);
    expect(logger.named('attempts.counted')).toEqual([{ shardId: 'shardId-1', attempts: 2 }]);
  });

  it('counts integrations by whether one of their attempts was confirmed', async () => {
    const { handle, metrics } = subjectOf();
    const ofB = { integration: 'another00000' };
    const ofC = { integration: 'third0000000', outcome: 'transient' };
    await handle(
      ...['101', '102', '103'].map((position) => aChange(position, { outcome: 'fatal' })),
      aChange('104', { ...ofB, outcome: 'transient' }),
      aChange('105', ofB),
      ...['hourly', 'manual', 'test'].map((trigger) => aChange('106', { ...ofC, trigger })),
    );

    expect(metrics.flushed).toEqual({ IntegrationsConfirming: 1, IntegrationsNotConfirming: 1 });
  });

  it('answers the end of a window, which has no records or lacks them', async () => {
    const { handle, endWindow } = subjectOf();

    expect(await handle()).toEqual({ state: {}, batchItemFailures: [] });
    expect(await endWindow()).toEqual({ state: {}, batchItemFailures: [] });
  });

  it('reports the first uncounted change, and counts it once', async () => {
    let faults = 1;
    const { handle, delivered, logger, metrics } = subjectOf({
      through: (counts) => ({
        add: async (of, ...given) => {
          if (of.integration === OF_CHANGES.integration && faults-- > 0)
            throw new Error('throttled');
          await counts.add(of, ...given);
        },
      }),
    });
    const others = [aChange('100', { integration: 'another00000' }), aChange('103', { entry: '' })];
    const batch = [others[0] ?? {}, aChange('101'), aChange('102')];

    expect(await handle(...batch)).toMatchObject({
      batchItemFailures: [{ itemIdentifier: '101' }],
    });
    expect(logger.named('attempts.not_counted')).toMatchObject([
      { hours: 1, error: 'Error: throttled' },
    ]);
    expect(metrics.flushed).toEqual({ RecordsFailed: 1 });
    expect(await handle(...batch.slice(1))).toMatchObject({ batchItemFailures: [] });
    expect(await delivered()).toBe(2);
    expect(metrics.flushed).toEqual({ RecordsFailed: 1, IntegrationsConfirming: 1 });
  });

  it('makes an unreadable change a dead letter, and counts the others', async () => {
    const { handle, delivered, deadLetters, logger } = subjectOf();
    const poison = aChange('102', { outcome: 'lost' });

    expect(await handle(aChange('101'), poison, aChange('103'))).toMatchObject({
      batchItemFailures: [],
    });
    expect(await delivered()).toBe(2);
    expect(deadLetters.letters.map(({ text }) => JSON.parse(text))).toEqual([
      { sequenceNumber: '102', keys: poison.dynamodb.Keys },
    ]);
    expect(logger.named('change.unreadable')).toMatchObject([
      { sequenceNumber: '102', reason: expect.stringMatching(/outcome/) },
    ]);
  });

  it('reports an unreadable change that could not become a dead letter', async () => {
    const deadLetters = new InMemoryDeadLetters();
    deadLetters.add = async () => {
      throw new Error('no queue');
    };
    const { handle, delivered } = subjectOf({ deadLetters });

    const response = await handle(aChange('101'), aChange('102', { outcome: 'lost' }));

    expect(response.batchItemFailures).toEqual([{ itemIdentifier: '102' }]);
    expect(await delivered()).toBe(1);
  });

  it('indexes deliveries by what they are about', async () => {
    const { handle, indexed } = subjectOf();

    await handle(aMessage('101', 'msg_1'), aMessage('102', 'msg_2'), aMessage('103', 'msg_1'));

    expect(await indexed('msg_1')).toBe(2);
  });

  it('counts the attempts of a batch that cannot be indexed', async () => {
    const { handle, delivered, logger, pausesMs } = subjectOf({ add: failingIndex });

    expect(await handle(aChange('101'), aMessage('102', 'msg_1'))).toMatchObject({
      batchItemFailures: [{ itemIdentifier: '102' }],
    });
    expect(await delivered()).toBe(2);
    expect(logger.named('deliveries.not_indexed')).toMatchObject([
      { deliveries: 1, isGivenUp: false, error: 'Error: throttled' },
    ]);
    expect(pausesMs).toEqual([]);
  });

  it('gives indexing up after a quarter of an hour, and goes on counting', async () => {
    const { handle, delivered, logger } = subjectOf({ add: failingIndex });

    expect(await handle(aMessage('101', 'msg_1', { secondsOld: 901 }))).toMatchObject({
      batchItemFailures: [],
    });
    expect(await delivered()).toBe(1);
    expect(logger.named('deliveries.not_indexed')).toMatchObject([{ isGivenUp: true }]);
  });

  it.each([1, 2])('indexes a batch of an old backlog although %i writes fail', async (count) => {
    const index = new InMemoryDeliveryIndex();
    let faults = count;
    const { handle, indexed, logger, pausesMs } = subjectOf({
      index,
      add: async (...given) => (faults-- > 0 ? failingIndex() : index.add(...given)),
    });

    await handle(aMessage('101', 'msg_1', { secondsOld: 7_200 }));

    expect(await indexed('msg_1')).toBe(1);
    expect(pausesMs).toHaveLength(count);
    expect(logger.named('deliveries.not_indexed')).toEqual([]);
  });

  it('indexes deliveries whose attempts cannot be counted', async () => {
    const { handle, indexed } = subjectOf({ through: () => ({ add: failingIndex }) });

    expect(await handle(aMessage('101', 'msg_1'))).toMatchObject({
      batchItemFailures: [{ itemIdentifier: '101' }],
    });
    expect(await indexed('msg_1')).toBe(1);
  });

  it('writes nothing of an event or its answer into its log', async () => {
    const { handle, logger } = subjectOf();
    await handle(aChange('101'), aChange('102', { outcome: 'lost' }));

    expect(logger.text).not.toContain(OF_CHANGES.response);
  });
});
