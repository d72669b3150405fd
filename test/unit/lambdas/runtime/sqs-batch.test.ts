import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  createProcessBatch,
  faultDelayMs,
  type MessageResult,
} from '../../../../lambdas/runtime/sqs-batch.ts';
import { limits } from '../../../../lib/limits.ts';
import { createBarrier } from '../../../support/barrier.ts';
import {
  aBatch,
  aRecord,
  InMemoryMessageVisibility,
  kept,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';

const LATER = new Date('2026-11-20T12:01:30.000Z');

/** Fails at records whose body is `fails`, and has those come back later whose body is `waits`. */
const process = async ({ body }: SQSRecord): Promise<MessageResult> => {
  if (body === 'fails') throw new TypeError('throttled');
  return body === 'waits' ? LATER : 'done';
};

describe('a batch', () => {
  it('gives back the records that failed, and those that wait, and no others', async () => {
    const processBatch = createProcessBatch(queueDeps(), 'message.unreadable');
    const batch = aBatch(aRecord('m1', 'fails'), aRecord('m2', 'is fine'), aRecord('m3', 'waits'));
    expect(await processBatch(batch, process)).toEqual(kept('m1', 'm3'));
  });

  it('receives a failed record again, the later the more often it failed', async () => {
    const deps = queueDeps();
    const batch = aBatch(
      aRecord('m1', 'fails'),
      aRecord('m2', 'fails', { receiveCount: 3 }),
      aRecord('m3', 'fails', { receiveCount: 500 }),
      aRecord('m4', 'waits', { receiveCount: 500 }),
    );
    await createProcessBatch(deps, 'message.unreadable')(batch, process);
    expect(deps.visibility.delaysMs).toEqual({
      'receipt of m1': 5_000,
      'receipt of m2': 20_000,
      'receipt of m3': 1_800_000,
      'receipt of m4': 90_000,
    });
  });

  it('is processed side by side', async () => {
    const allBegun = createBarrier(10);
    const records = Array.from({ length: 10 }, (_, index) => aRecord(`m${index}`, 'is fine'));
    const response = await createProcessBatch(queueDeps(), 'message.unreadable')(
      aBatch(...records),
      async () => {
        await allBegun();
        return 'done';
      },
    );
    expect(response).toEqual(kept());
  });

  it('asks for no change when all records are done', async () => {
    const deps = queueDeps();
    await createProcessBatch(deps, 'message.unreadable')(aBatch(aRecord('m1', 'is fine')), process);
    expect(deps.visibility.delaysMs).toEqual({});
    expect(deps.metrics.flushed).toEqual({});
  });

  it('tells of a failed record and counts it', async () => {
    const deps = queueDeps();
    await createProcessBatch(deps, 'message.unreadable')(
      aBatch(aRecord('m1', 'fails', { receiveCount: 3 })),
      process,
    );
    expect(deps.logger.named('record.failed')).toMatchObject([
      { messageId: 'm1', receiveCount: 3, error: 'TypeError: throttled' },
    ]);
    expect(deps.metrics.flushed).toEqual({ RecordsFailed: 1 });
  });

  it('counts apart a record that failed a hundred times', async () => {
    const deps = queueDeps();
    const batch = aBatch(
      aRecord('m1', 'fails', { receiveCount: 100 }),
      aRecord('m2', 'fails', { receiveCount: 101 }),
    );
    await createProcessBatch(deps, 'message.unreadable')(batch, process);
    expect(deps.metrics.flushed).toEqual({ RecordsFailed: 2, RecordsStuck: 1 });
  });

  it('keeps a failed record whose return could not be timed, and tells of it', async () => {
    const deps = queueDeps({
      visibility: new InMemoryMessageVisibility({ refused: ['receipt of m1'] }),
    });
    const response = await createProcessBatch(deps, 'message.unreadable')(
      aBatch(aRecord('m1', 'fails')),
      process,
    );
    expect(response).toEqual(kept('m1'));
    expect(deps.logger.named('visibility.not_changed')).toEqual([
      { messageId: 'm1', delayMs: 5_000, code: 'ReceiptHandleIsInvalid' },
    ]);
  });
});

const SHORTEST = 0;
const LONGEST = 1;

const sumOfDelaysMs = (receives: number, random: number): number =>
  Array.from({ length: receives }, (_, index) => faultDelayMs(index + 1, random)).reduce(
    (sum, delayMs) => sum + delayMs,
    0,
  );

describe('the delay of a record that failed by our fault', () => {
  it('is some seconds at first and a minute later', () => {
    expect([1, 2, 3, 4, 5, 6, 100].map((receives) => faultDelayMs(receives, 0.5))).toEqual([
      5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000,
    ]);
  });

  it('is half an hour for what failed a hundred times', () => {
    expect(faultDelayMs(101, 0.5)).toBe(1_800_000);
  });

  it('is a fifth shorter or longer by chance', () => {
    expect([SHORTEST, LONGEST].map((random) => faultDelayMs(1, random))).toEqual([4_000, 6_000]);
  });

  it('keeps a message from the dead letters for 14 days', () => {
    expect(sumOfDelaysMs(limits.receives - 1, SHORTEST)).toBeGreaterThan(14 * 86_400_000);
  });

  it('gives up an hourly retry well before the next hour', () => {
    expect(sumOfDelaysMs(limits.retryReceives - 1, LONGEST)).toBeLessThan(1_800_000);
  });
});
