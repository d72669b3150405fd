import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { LogReading } from '../../../../core/delivery/delivery-log.ts';
import type { Pace } from '../../../../core/delivery/pending/replay-requests.ts';
import { buildRunReplay } from '../../../../core/delivery/pending/run-replay.ts';
import { FIRST_STEP, paceAfter, slowFrom } from '../../../../core/delivery/pending/step-pace.ts';
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

const readingOf = (
  outcome: 'delivered' | 'transient' | 'fatal',
  statusCode: number,
): LogReading => ({
  logged: outcome === 'delivered' ? 'delivered' : 'attempted',
  latestAttempt: {
    ...{ number: 1, startedAt: NOON.toISOString(), backsOff: false },
    ...{ outcome, statusCode },
  },
});
const CONFIRMED = [readingOf('delivered', 200)];
const refusedWith = (status: number, count = 1) => Array(count).fill(readingOf('fatal', status));

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

  it('is not over before the last event is answered, although it is no sample of its step', async () => {
    const { result, replays } = await paceOf((second) => (second === 39 ? 'nothing' : 'confirms'), {
      pending: 40,
    });
    expect(result).toEqual({ kind: 'continued', replayed: 40 });
    const sampled = [{ event: eventsOf(40)[39]?.event, priorAttempts: 1 }];
    expect(replays.requested).toMatchObject([{ pace: { sampled } }]);
  });

  it('grows in the run that follows, whatever was answered', async () => {
    const deliveries = new CountingQueue();
    const pending = eventsOf(300);
    const { replay } = await aReplay({ deliveries, deliveryLog: logOf(() => 'nothing'), pending });
    const pace = { ...OPEN, size: 9, left: 0, sampled: pending.slice(0, 9) };
    await replay({ ...OF_INTEGRATION, pace, notBefore: NOON }, always);
    expect(deliveries.sizes).toEqual([27]);
  });

  it('goes on within a step in the run that follows', async () => {
    const deliveries = new CountingQueue();
    const deliveryLog = logOf(() => 'confirms');
    const { replay } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(40) });
    const pace = { ...OPEN, size: 27, left: 7 };
    await replay({ ...OF_INTEGRATION, pace }, always);
    expect(deliveries.sizes).toEqual([7, 33]);
  });

  it('begins slowly with events that were refused before: one after another', async () => {
    const deliveries = new CountingQueue();
    const deliveryLog = logOf(() => 'confirms');
    const { replay, pauses } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(5) });
    await replay({ ...OF_INTEGRATION, pace: slowFrom(NOON) }, always);
    expect(deliveries.sizes).toEqual([1, 1, 1, 1, 1]);
    expect(pauses).toEqual([]);
  });

  it('judges no step after a rest', async () => {
    const deliveries = new CountingQueue();
    const deliveryLog = logOf(() => 'confirms');
    const { replay } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(9) });
    const slowedAt = NOON.toISOString();
    const pace = { ...OPEN, size: 2, left: 2, slowedAt, restMs: 2_500 };
    await replay({ ...OF_INTEGRATION, pace, notBefore: NOON }, always);
    expect(deliveries.sizes[0]).toBe(2);
  });

  it.each([408, 425, 429, 503])('rests after %i, which ends its run', async (status) => {
    const { sizes, pauses, result, replays } = await paceOf((second) =>
      second === 0 ? 'confirms' : status,
    );
    expect(sizes).toEqual([1, 3]);
    expect(pauses).toEqual([]);
    expect(result).toEqual({ kind: 'continued', replayed: 4 });
    const usual = { answers: 21, refused: 0 };
    const slowedAt = NOON.toISOString();
    const pace = { size: 1, left: 1, usual, slowedAt, restMs: 2_500, sampled: [] };
    const notBefore = new Date(NOON.getTime() + 2_500);
    expect(replays.requested).toMatchObject([{ pace, notBefore }]);
  });

  it('rests less after each step that it bears, and within its run at last', async () => {
    const deliveries = new CountingQueue();
    const deliveryLog = logOf(() => 'confirms');
    const { replay, pauses } = await aReplay({ deliveries, deliveryLog, pending: eventsOf(4) });
    const pace = { ...OPEN, size: 1, left: 1, slowedAt: NOON.toISOString(), restMs: 1_000 };
    await replay({ ...OF_INTEGRATION, pace }, always);
    expect(pauses).toEqual([870, 756, 657]);
  });

  it.each([
    ['the first', (second: number) => second < 22],
    ['the last', (second: number) => second > 28],
    ['every second', (second: number) => second % 2 === 0],
  ])('is judged by the whole of a step: %s are refused', async (_which, isRefused) => {
    for (const status of [500, 504]) {
      const answer = (second: number) =>
        second >= 13 && second < 40 && isRefused(second) ? status : ('confirms' as const);
      const { sizes, replays } = await paceOf(answer, { pending: 60 });
      expect(sizes).toEqual(STEP_OF_27);
      // The third step did not wait for the answer to its last event.
      const usual = { answers: 20 + 1 + 3 + 8, refused: 0 };
      expect(replays.requested).toMatchObject([{ pace: { size: 6, left: 6, usual } }]);
    }
  });

  it('grows by a quarter a minute once it was slowed', () => {
    const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);
    const slowed: Pace = { ...OPEN, size: 6, left: 0, slowedAt: NOON.toISOString() };
    expect(paceAfter(slowed, CONFIRMED, at(59)).pace).toMatchObject({ size: 6, left: 6 });
    const grown = { size: 8, left: 8, slowedAt: at(60).toISOString() };
    expect(paceAfter(slowed, CONFIRMED, at(60)).pace).toMatchObject(grown);
  });

  it('grows although an endpoint does not want every second event', async () => {
    const isUnwanted = (second: number) => second >= 13 && second < 40 && second % 2 === 0;
    const answer = (second: number) => (isUnwanted(second) ? 422 : 'confirms');
    expect((await paceOf(answer, { pending: 60 })).sizes).toEqual([...STEP_OF_27, 20]);
  });

  it('grows, after a rest, if the first deliveries are not confirmed', () => {
    const { pace, restMs } = paceAfter(FIRST_STEP, refusedWith(500), NOON);
    expect(pace).toMatchObject({ size: 3, left: 3, usual: { answers: 21, refused: 1 } });
    expect(restMs).toBe(2_500);
    const unanswered = Array(10).fill(readingOf('transient', 504));
    const next = paceAfter({ ...FIRST_STEP, size: 10 }, unanswered, NOON).pace;
    expect(next).toMatchObject({ size: 30, usual: FIRST_STEP.usual });
  });

  it('stays, after a rest, if a single delivery is refused by one that confirms', () => {
    const confirming = { ...FIRST_STEP, usual: { answers: 30, refused: 1 } };
    const { pace, restMs } = paceAfter(confirming, refusedWith(500), NOON);
    expect(pace).toMatchObject({ size: 1, left: 1, usual: { answers: 31, refused: 2 } });
    expect(pace.slowedAt).toBeUndefined();
    expect(restMs).toBe(2_500);
  });

  it.each([400, 406, 413, 414, 415, 422])(
    'grows if all get %i: they speak of the body',
    (status) => {
      const { pace } = paceAfter({ ...FIRST_STEP, size: 10 }, refusedWith(status, 10), NOON);
      expect(pace).toMatchObject({ size: 30, usual: FIRST_STEP.usual });
    },
  );

  it.each([401, 403, 404, 409, 423, 429, 500, 503])('shrinks if all get %i', (status) => {
    const { pace } = paceAfter({ ...FIRST_STEP, size: 10 }, refusedWith(status, 10), NOON);
    expect(pace).toMatchObject({ size: 2, left: 2, usual: FIRST_STEP.usual });
  });

  it('is not learned from a burst: two refused of the first three are too many', () => {
    const answers = [...CONFIRMED, ...refusedWith(409, 2)];
    expect(paceAfter({ ...FIRST_STEP, size: 3 }, answers, NOON).pace.size).toBe(1);
  });

  it('is judged by steps of two, and not by single deliveries', () => {
    const refused = (size: number) =>
      paceAfter({ ...FIRST_STEP, size }, refusedWith(409, size), NOON).pace.size;
    expect([refused(1), refused(2)]).toEqual([3, 1]);
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
    'sends at most 100 to an endpoint that %s',
    async (_case, status, onFatalError, trouble) => {
      const settings = { ...anIntegration().settings, onFatalError };
      const ended = await replayTo(() => status, { settings });
      expect(ended).toMatchObject({ kind: 'stopped', trouble });
      expect(ended.sent).toBe(ended.posts);
      expect(ended.posts).toBeLessThanOrEqual(100);
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
