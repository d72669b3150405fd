import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { LogEntry } from '../../../../core/delivery/delivery-log.ts';
import { createBatchLog } from '../../../../lambdas/deliver/deliver-webhook/batch-log.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';

const deliveryOf = (id: string): Delivery => aDelivery({ event: anEventReference(id) });

const entryOf = (id: string): LogEntry => ({
  delivery: deliveryOf(id),
  attempt: anAttempt(),
  logged: 'nothing',
});

const REFUSED = new Error('refused');

const aLog = (fault?: Error) => {
  const calls: string[][] = [];
  return {
    calls,
    write: async (entries: readonly LogEntry[]) => {
      calls.push(entries.map(({ delivery }) => delivery.event.id));
      if (fault) throw fault;
    },
    list: async (deliveries: readonly Delivery[]) => {
      calls.push(deliveries.map(({ event }) => event.id));
      return deliveries.map(({ event }) => (event.id === 'evt_refused' ? REFUSED : undefined));
    },
  };
};

describe('the log of a batch', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is written in one call when all records have written, or have nothing to write', async () => {
    const log = aLog();
    const { ofRecord } = createBatchLog(log, { records: 3 });
    await Promise.all([
      ofRecord((write) => write(entryOf('evt_1'))),
      ofRecord(async () => 'nothing'),
      ofRecord((write) => write(entryOf('evt_2'))),
    ]);
    expect(log.calls).toEqual([['evt_1', 'evt_2']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is written without the records that take longer, after a tenth of a second', async () => {
    const log = aLog();
    const { ofRecord } = createBatchLog(log, { records: 3 });
    const fast = [
      ofRecord((write) => write(entryOf('evt_1'))),
      ofRecord((write) => write(entryOf('evt_2'))),
    ];
    let answer = () => {};
    const slow = ofRecord(async (write) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await write(entryOf('evt_3'));
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(log.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(fast);
    expect(log.calls).toEqual([['evt_1', 'evt_2']]);
    answer();
    await slow;
    expect(log.calls).toEqual([['evt_1', 'evt_2'], ['evt_3']]);
  });

  it('tells each record of a fault, and goes on', async () => {
    const { ofRecord } = createBatchLog(aLog(new Error('throttled')), { records: 3 });
    const told = await Promise.allSettled([
      ofRecord((write) => write(entryOf('evt_1'))),
      ofRecord((write) => write(entryOf('evt_2'))),
      ofRecord(async () => 'nothing'),
    ]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('does not wait for a record whose processing throws', async () => {
    const log = aLog();
    const { ofRecord } = createBatchLog(log, { records: 2 });
    const thrown = ofRecord(() => Promise.reject(new Error('a fault of ours')));
    await Promise.all([
      expect(thrown).rejects.toThrow('a fault of ours'),
      ofRecord((write) => write(entryOf('evt_1'))),
    ]);
    expect(log.calls).toEqual([['evt_1']]);
  });

  it('lists what records list at the same time in one call, without waiting for others', async () => {
    const log = aLog();
    const { list } = createBatchLog(log, { records: 4 });
    const listings = ['evt_1', 'evt_refused', 'evt_3'].map((id) => list(deliveryOf(id)));
    const listed = await Promise.allSettled(listings);
    expect(log.calls).toEqual([['evt_1', 'evt_refused', 'evt_3']]);
    expect(listed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
