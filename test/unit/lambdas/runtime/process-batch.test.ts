import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  createProcessBatch,
  type Disposal,
} from '../../../../lambdas/deliver/runtime/sqs-batch.ts';
import { InMemoryMessageVisibility, kept } from '../../../support/lambdas/delivering-handler.ts';
import { queueDeps } from '../../../support/lambdas/queue-deps.ts';
import { aBatch, aRecord } from '../../../support/lambdas/sqs-batches.ts';

const LATER = new Date('2026-11-20T12:01:30.000Z');

/** Fails at records whose body is `fails`, and has those come back later whose body is `waits`. */
const process = async ({ body }: SQSRecord): Promise<Disposal> => {
  if (body === 'fails') throw new TypeError('throttled');
  return body === 'waits' ? LATER : 'done';
};

describe('a batch', () => {
  it('gives back the records that failed, and those that wait, and no others', async () => {
    const processBatch = createProcessBatch(queueDeps(), 'message.unreadable');
    const batch = aBatch(aRecord('m1', 'fails'), aRecord('m2', 'is fine'), aRecord('m3', 'waits'));
    expect(await processBatch(batch, process)).toEqual(kept('m1', 'm3'));
  });

  it('has a failed record come back soon, and the later the more often it was received', async () => {
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

  it('asks for no change when all records are done', async () => {
    const deps = queueDeps({ visibility: new InMemoryMessageVisibility() });
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
