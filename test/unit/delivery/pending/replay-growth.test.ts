import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { LogReading } from '../../../../core/delivery/delivery-log.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import { always, aReplay, eventsOf, NOON } from '../../../support/delivery/logged-deliveries.ts';
import { OF_INTEGRATION } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { aDeliverer, answering } from '../../../support/delivery/sending/troubled-deliverer.ts';
import { A_MESSAGE } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

/** Counts the deliveries of each call. */
class CountingQueue extends InMemoryDeliveryQueue {
  readonly sizes: number[] = [];

  override async enqueue(deliveries: readonly Delivery[]): Promise<void> {
    this.sizes.push(deliveries.length);
    await super.enqueue(deliveries);
  }
}

/** The latest attempt of each event is the one before the replay. */
const UNANSWERED = {
  read: async (deliveries: readonly unknown[]): Promise<LogReading[]> =>
    deliveries.map(() => ({
      logged: 'attempted',
      latestAttempt: { number: 1, backsOff: false },
    })),
};

/** An attempt of the replay was confirmed. */
const CONFIRMED: LogReading = {
  logged: 'delivered',
  latestAttempt: { number: 2, backsOff: false },
};
const ALL: LogReading[] = [CONFIRMED];

/** Of steps that are confirmed. */
const GROWING = [1, 10, 89, 11, 89, 100];

const IN_TWENTY_SECONDS = new Date(NOON.getTime() + 20_000);

describe('the steps of a replay', () => {
  it('grow tenfold with each one that is confirmed', async () => {
    const deliveries = new CountingQueue();
    const { replay, pauses } = await aReplay({ deliveries, pending: eventsOf(300) });
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'completed', replayed: 300 });
    // A page of a hundred is divided where a step ends.
    expect(deliveries.sizes).toEqual(GROWING);
    expect(pauses).toEqual([]);
  });

  it('are followed by another run when one is not answered within a second', async () => {
    const deliveries = new CountingQueue();
    const replaying = await aReplay({ deliveries, deliveryLog: UNANSWERED });
    const { replay, replays, pauses, pendingOf } = replaying;
    expect(await replay(OF_INTEGRATION, always)).toEqual({ kind: 'continued', replayed: 1 });
    expect(pauses).toEqual(Array(10).fill(100));
    const [{ event, priorAttempts }] = deliveries.deliveries as [Delivery];
    expect(replays.requested).toMatchObject([
      { step: { size: 1, first: [{ event, priorAttempts }] }, notBefore: IN_TWENTY_SECONDS },
    ]);
    expect(pendingOf()).toEqual(eventsOf(3).slice(1));
  });

  it('grow in the run that follows, whatever was answered', async () => {
    const deliveries = new CountingQueue();
    const pending = eventsOf(300);
    const { replay } = await aReplay({ deliveries, deliveryLog: UNANSWERED, pending });
    await replay({ ...OF_INTEGRATION, step: { size: 10, first: pending.slice(0, 10) } }, always);
    expect(deliveries.sizes).toEqual([100]);
  });

  const sizesWith = async (deliveryLog: typeof UNANSWERED) => {
    const deliveries = new CountingQueue();
    const { replay } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(300) });
    await replay(OF_INTEGRATION, always);
    return deliveries.sizes;
  };

  it('go on if one of the first ten is confirmed', async () => {
    const read = async (deliveries: readonly unknown[]): Promise<LogReading[]> =>
      deliveries.map((_, index) => (index === 9 ? CONFIRMED : { logged: 'attempted' }));
    expect(
      await sizesWith({ read: async (given) => (given.length < 10 ? ALL : read(given)) }),
    ).toEqual(GROWING);
  });

  it('grow after a while if one is refused and the replay may go on', async () => {
    const read = async (deliveries: readonly unknown[]): Promise<LogReading[]> =>
      deliveries.map(() => ({
        logged: 'attempted',
        latestAttempt: { number: 2, backsOff: false },
      }));
    const deliveries = new CountingQueue();
    const { replay, pauses } = await aReplay({
      ...{ deliveries, deliveryLog: { read }, pending: eventsOf(300) },
    });
    await replay(OF_INTEGRATION, always);
    expect(deliveries.sizes).toEqual(GROWING);
    expect(pauses).toEqual([2_500, 2_500, 2_500]);
  });

  it('wait for the answer to a resend of a delivered event', async () => {
    const read = async (deliveries: readonly unknown[]): Promise<LogReading[]> =>
      deliveries.map(() => ({
        logged: 'delivered',
        latestAttempt: { number: 1, backsOff: false },
      }));
    expect(await sizesWith({ read })).toEqual([1]);
  });

  it('go on if the log cannot be read', async () => {
    const read = () => Promise.reject(new Error('throttled'));
    expect(await sizesWith({ read })).toEqual(GROWING);
  });

  it('go to the slow lane for an integration with a slow endpoint', async () => {
    const slowLane = new CountingQueue();
    const stored = anIntegration({ slowness: { score: 600_000, notedAt: NOON.toISOString() } });
    const { replay } = await aReplay({ stored, slowLane });
    await replay(OF_INTEGRATION, always);
    expect(slowLane.sizes).toEqual([1, 2]);
  });
});

describe('a replay of 4,000 events', () => {
  const PENDING = 4_000;

  /** All runs of the replay. What is queued is attempted side by side while a run waits. */
  const replayTo = async (statusCode: number, wishes: Partial<Integration> = {}) => {
    let nowMs = NOON.getTime();
    const now = () => new Date(nowMs);
    const endpoint = answering(statusCode);
    const stored = anIntegration(wishes);
    const { deliver, ...parts } = aDeliverer({ stored, endpoint, now });
    const queue = new CountingQueue();
    for (const event of eventsOf(PENDING)) await parts.pendingEvents.put(event, A_MESSAGE);
    const attemptAll = async () => {
      const batch = queue.deliveries.splice(0);
      await Promise.all(
        batch.map((delivery) =>
          deliver({
            ...{ delivery, messageId: delivery.event.id },
            ...{ receiveCount: 1, firstReceivedAt: now() },
          }),
        ),
      );
    };
    const replay = buildRunReplay({
      ...parts,
      ...{ deliveries: queue, deliveryLog: parts.log, now },
      pause: async (ms) => {
        await attemptAll();
        nowMs += ms;
      },
    });
    await parts.replays.request(stored);
    let result: Awaited<ReturnType<typeof replay>> | undefined;
    let runs = 0;
    for (let request = parts.replays.requested.shift(); request !== undefined; runs += 1) {
      nowMs = Math.max(nowMs, request.notBefore?.getTime() ?? 0);
      result = await replay(request, always);
      request = parts.replays.requested.shift();
    }
    await attemptAll();
    const [integration] = parts.integrations.all;
    const sent = queue.sizes.reduce((sum, size) => sum + size, 0);
    const posts = endpoint.requests.length;
    const trouble = integration?.trouble?.kind;
    const left = parts.pendingEvents.of(stored.id).length;
    return { kind: result?.kind, runs, sent, posts, left, trouble };
  };

  it('delivers all of them in one run to an endpoint that confirms', async () => {
    const all = { sent: PENDING, posts: PENDING, left: 0 };
    expect(await replayTo(204)).toEqual({
      ...{ kind: 'completed', runs: 1, ...all, trouble: undefined },
    });
  });

  it('sends one to an endpoint that refuses it', async () => {
    const one = { sent: 1, posts: 1, left: PENDING };
    expect(await replayTo(500)).toEqual({ kind: 'stopped', runs: 1, ...one, trouble: 'failed' });
  });

  it.each([
    ['answers 504', 504, 'pause', 'busy'],
    ['refuses all, with onFatalError continue', 500, 'continue', 'failed'],
  ] as const)(
    'sends at most 111 to an endpoint that %s',
    async (_case, status, onFatalError, trouble) => {
      const settings = { ...anIntegration().settings, onFatalError };
      const ended = await replayTo(status, { settings });
      expect(ended).toMatchObject({ kind: 'stopped', trouble });
      expect(ended.sent).toBe(ended.posts);
      expect(ended.posts).toBeLessThanOrEqual(111);
    },
  );
});
