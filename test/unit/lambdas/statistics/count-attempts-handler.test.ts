import { describe, expect, it } from 'vitest';
import { attemptAddedBy } from '../../../../adapters/dynamodb/delivery-log-changes.ts';
import {
  type AttemptCounts,
  buildCountAttempts,
} from '../../../../core/delivery/statistics/count-attempts.ts';
import { createHandler } from '../../../../lambdas/deliver/count-attempts/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryStatistics } from '../../../support/delivery/statistics/in-memory-statistics.ts';
import { aChange, OF_CHANGES } from '../../../support/lambdas/log-changes.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const subjectOf = ({
  through = (counts: AttemptCounts) => counts,
  deadLetters = new InMemoryDeadLetters(),
} = {}) => {
  const statistics = new InMemoryStatistics();
  const logger = new RecordingLogger();
  const handler = createHandler({
    attemptAddedBy,
    countAttempts: buildCountAttempts({ counts: through(statistics) }),
    deadLetters,
    logger,
  });
  const handle = (...Records: object[]) => handler({ shardId: 'shardId-1', Records });
  const delivered = async () =>
    (await statistics.hoursSince(OF_CHANGES.integration, OF_CHANGES.hour)).get(OF_CHANGES.hour)
      ?.outcomes.delivered ?? 0;
  return { handle, delivered, deadLetters, logger };
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

  it('answers the end of a window, which has no records', async () => {
    const { handle } = subjectOf();

    expect(await handle()).toEqual({ state: {}, batchItemFailures: [] });
  });

  it('reports the first change that is not counted, and counts it once when it comes again', async () => {
    let faults = 1;
    const { handle, delivered, logger } = subjectOf({
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
    expect(await handle(...batch.slice(1))).toMatchObject({ batchItemFailures: [] });
    expect(await delivered()).toBe(2);
  });

  it('puts an unreadable change among the dead letters, and counts the others', async () => {
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

  it('reports an unreadable change that cannot be kept, so that it comes again', async () => {
    const deadLetters = new InMemoryDeadLetters();
    deadLetters.add = async () => {
      throw new Error('no queue');
    };
    const { handle, delivered } = subjectOf({ deadLetters });

    const response = await handle(aChange('101'), aChange('102', { outcome: 'lost' }));

    expect(response.batchItemFailures).toEqual([{ itemIdentifier: '102' }]);
    expect(await delivered()).toBe(1);
  });

  it('writes nothing of an event or its answer into its log', async () => {
    const { handle, logger } = subjectOf();
    await handle(aChange('101'), aChange('102', { outcome: 'lost' }));

    expect(logger.text).not.toContain(OF_CHANGES.response);
  });
});
