import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { LogReading } from '../../../../core/delivery/delivery-log.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import {
  always,
  aReplay,
  eventsOf,
  NOON,
  OPEN,
} from '../../../support/delivery/logged-deliveries.ts';
import { OF_INTEGRATION } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDeliverer } from '../../../support/delivery/sending/troubled-deliverer.ts';
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

type Answer = (second: number) => 'confirms' | 'nothing' | number;

/** The log of an endpoint that answers to the event of a second, as soon as it is asked. */
const logOf = (answer: Answer) => ({
  read: async (deliveries: readonly Pick<Delivery, 'event'>[]): Promise<LogReading[]> =>
    deliveries.map(({ event }) => {
      const answered = answer(Number(event.id.slice('evt_'.length)));
      const startedAt = NOON.toISOString();
      const latest = { number: 2, startedAt, backsOff: false };
      if (answered === 'confirms') {
        const latestAttempt = { ...latest, outcome: 'delivered', statusCode: 200 } as const;
        return { logged: 'delivered', deliveredAt: startedAt, latestAttempt };
      }
      const number = answered === 'nothing' ? 1 : 2;
      const statusCode = answered === 'nothing' ? 504 : answered;
      const outcome = statusCode === 504 ? 'transient' : 'fatal';
      return {
        logged: 'attempted',
        latestAttempt: { ...latest, number, outcome, statusCode },
      };
    }),
});

const IN_TWENTY_SECONDS = new Date(NOON.getTime() + 20_000);

/** The first step that is refused in part: of the seconds 13 to 39. */
const STEP_OF_27 = [1, 3, 9, 27];

describe('the pace of a replay', () => {
  /** The sizes of what was enqueued, a page of a hundred being divided where a step ends. */
  const paceOf = async (answer: Answer, { pending = 300, now = () => NOON } = {}) => {
    const deliveries = new CountingQueue();
    const replaying = await aReplay({
      ...{ deliveries, deliveryLog: logOf(answer), pending: eventsOf(pending), now },
    });
    const result = await replaying.replay(OF_INTEGRATION, always);
    return { ...replaying, sizes: deliveries.sizes, result };
  };

  it('grows threefold with each step that is confirmed', async () => {
    const { sizes, pauses, result } = await paceOf(() => 'confirms');
    expect(result).toEqual({ kind: 'completed', replayed: 300 });
    expect(sizes).toEqual([...STEP_OF_27, 60, 21, 79, 100]);
    expect(pauses).toEqual([]);
  });

  it('has another run go on if a step is not answered within a second', async () => {
    const { replays, pauses, result, pendingOf } = await paceOf(() => 'nothing');
    expect(result).toEqual({ kind: 'continued', replayed: 1 });
    expect(pauses).toEqual(Array(20).fill(50));
    const sampled = [{ event: eventsOf(1)[0]?.event, priorAttempts: 1 }];
    expect(replays.requested).toMatchObject([
      { pace: { size: 1, sampled }, notBefore: IN_TWENTY_SECONDS },
    ]);
    expect(pendingOf()).toHaveLength(299);
  });

  it('grows in the run that follows, whatever was answered', async () => {
    const deliveries = new CountingQueue();
    const pending = eventsOf(300);
    const { replay } = await aReplay({ deliveries, deliveryLog: logOf(() => 'nothing'), pending });
    const pace = { ...OPEN, size: 9, sampled: pending.slice(0, 9) };
    await replay({ ...OF_INTEGRATION, pace, notBefore: NOON }, always);
    expect(deliveries.sizes).toEqual([27]);
  });

  it.each([408, 425, 429, 503])('slows down, and stays so, after %i', async (status) => {
    const { sizes, pauses } = await paceOf((second) => (second % 3 === 1 ? 'confirms' : status), {
      pending: 40,
    });
    // Of the first, second and third step none, two thirds and two thirds are refused.
    expect(sizes.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(pauses.slice(0, 3)).toEqual([2_500, 2_175, 2_500]);
  });

  it.each([
    ['the first', (second: number) => second < 22],
    ['the last', (second: number) => second > 28],
    ['every second', (second: number) => second % 2 === 0],
  ])('is judged by the whole of a step: %s are refused', async (_which, isRefused) => {
    for (const status of [500, 504]) {
      const answer = (second: number) =>
        second >= 13 && second < 40 && isRefused(second) ? status : ('confirms' as const);
      const { sizes } = await paceOf(answer, { pending: 60 });
      expect(sizes).toEqual([...STEP_OF_27, 6, 6, 6, 2]);
    }
  });

  it('grows by a quarter a minute once it was slowed', async () => {
    let nowMs = NOON.getTime();
    const now = () => {
      nowMs += 1_000;
      return new Date(nowMs);
    };
    const answer = (second: number) => (second >= 13 && second < 40 ? 429 : ('confirms' as const));
    const { sizes } = await paceOf(answer, { pending: 300, now });
    const slowed = sizes.slice(STEP_OF_27.length);
    expect(slowed[0]).toBe(6);
    expect(slowed.filter((size) => size === 6).length).toBeGreaterThan(5);
    expect(slowed.at(-2)).toBe(8);
  });

  it('grows although an endpoint does not want every second event', async () => {
    const isUnwanted = (second: number) => second >= 13 && second < 40 && second % 2 === 0;
    const answer = (second: number) => (isUnwanted(second) ? 422 : 'confirms');
    expect((await paceOf(answer, { pending: 60 })).sizes).toEqual([...STEP_OF_27, 20]);
  });

  it('grows although a single delivery is refused', async () => {
    const deliveries = new CountingQueue();
    const pending = eventsOf(20);
    const { replay } = await aReplay({ deliveries, deliveryLog: logOf(() => 500), pending });
    const usual = { answers: 100, refused: 0 };
    const pace = { ...OPEN, size: 1, usual, sampled: pending.slice(0, 1) };
    await replay({ ...OF_INTEGRATION, pace }, always);
    expect(deliveries.sizes[0]).toBe(10);
  });

  it.each([404, 500, 504])('grows if all get %i: the pace is not why', async (status) => {
    const { sizes, pauses } = await paceOf(() => status);
    expect(sizes).toEqual([1, 10, 89, 11, 89, 100]);
    expect(new Set(pauses)).toEqual(new Set([2_500]));
  });

  it('does not wait for the answer to a resend', async () => {
    const deliveries = new CountingQueue();
    const pending = eventsOf(40).map((event) => ({ ...event, trigger: 'manual' as const }));
    const deliveryLog = logOf(() => 'nothing');
    const { replay } = await aReplay({ deliveries, deliveryLog, pending });
    await replay(OF_INTEGRATION, always);
    expect(deliveries.sizes).toEqual(STEP_OF_27);
  });

  it('grows if the log cannot be read', async () => {
    const deliveries = new CountingQueue();
    const deliveryLog = { read: () => Promise.reject(new Error('throttled')) };
    const { replay } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(40) });
    await replay(OF_INTEGRATION, always);
    expect(deliveries.sizes).toEqual(STEP_OF_27);
  });

  it('is found in the slow lane for an integration with a slow endpoint', async () => {
    const slowLane = new CountingQueue();
    const stored = anIntegration({ slowness: { score: 600_000, notedAt: NOON.toISOString() } });
    const { replay } = await aReplay({ stored, slowLane });
    await replay(OF_INTEGRATION, always);
    expect(slowLane.sizes).toEqual([1, 2]);
  });

  it('notes that the endpoint confirms, before it grows', async () => {
    const deliveries = new CountingQueue();
    const known: (string | undefined)[] = [];
    const replaying = await aReplay({
      ...{ deliveries, deliveryLog: logOf(() => 'confirms'), pending: eventsOf(30) },
    });
    const { enqueue } = deliveries;
    deliveries.enqueue = async (page) => {
      known.push(replaying.integrations.all[0]?.confirmedAt);
      await enqueue.call(deliveries, page);
    };
    await replaying.replay(OF_INTEGRATION, always);
    expect(known).toEqual([undefined, ...Array(3).fill(NOON.toISOString())]);
  });
});

describe('a replay of 1,500 events', () => {
  const PENDING = 1_500;

  /** All runs of the replay. What is queued is attempted side by side while a run waits. */
  const replayTo = async (
    statusAt: (nowMs: number) => number,
    overrides: Partial<Integration> = {},
  ) => {
    let nowMs = NOON.getTime();
    const now = () => new Date(nowMs);
    const endpoint = new ScriptedWebhookEndpoint(() => answered(statusAt(nowMs)));
    const stored = anIntegration(overrides);
    const { deliver, ...parts } = aDeliverer({ stored, endpoint, now });
    const states = parts.integrations;
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
      ...{ states, deliveries: queue, deliveryLog: parts.log, now, retryIntervalMs: 3_600_000 },
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
    const confirmed = parts.log.deliveries.filter((each) => each.deliveredAt).length;
    const left = parts.pendingEvents.of(stored.id).length;
    return { kind: result?.kind, runs, sent, posts, left, trouble, confirmed };
  };

  it('delivers all of them in one run to an endpoint that confirms', async () => {
    const all = { sent: PENDING, posts: PENDING, left: 0, confirmed: PENDING };
    expect(await replayTo(() => 204)).toEqual({
      ...{ kind: 'completed', runs: 1, ...all, trouble: undefined },
    });
  });

  it('sends one to an endpoint that refuses it', async () => {
    const one = { sent: 1, posts: 1, left: PENDING, confirmed: 0 };
    expect(await replayTo(() => 500)).toEqual({
      kind: 'stopped',
      runs: 1,
      ...one,
      trouble: 'failed',
    });
  });

  it.each([
    ['answers 504', 504, 'pause', 'busy'],
    ['refuses all, with onFatalError continue', 500, 'continue', 'failed'],
  ] as const)(
    'sends at most 121 to an endpoint that %s',
    async (_case, status, onFatalError, trouble) => {
      const settings = { ...anIntegration().settings, onFatalError };
      const ended = await replayTo(() => status, { settings });
      expect(ended).toMatchObject({ kind: 'stopped', trouble });
      expect(ended.sent).toBe(ended.posts);
      expect(ended.posts).toBeLessThanOrEqual(121);
    },
  );

  it.each([
    [429, 10],
    [503, 10],
    [500, 10],
    [429, 100],
  ])('has at most one of six refused with %i beyond %i a second', async (status, perSecond) => {
    let [tokens, lastMs] = [2 * perSecond, NOON.getTime()];
    const settings = { ...anIntegration().settings, onFatalError: 'continue' as const };
    const limited = (nowMs: number): number => {
      tokens = Math.min(2 * perSecond, tokens + ((nowMs - lastMs) / 1_000) * perSecond);
      lastMs = nowMs;
      if (tokens < 1) return status;
      tokens -= 1;
      return 204;
    };
    const ended = await replayTo(limited, { settings });
    expect(ended).toMatchObject({ kind: 'completed' });
    expect(ended.confirmed + ended.left).toBe(PENDING);
    expect(ended.left).toBeLessThanOrEqual(ended.confirmed / 5);
  });
});
