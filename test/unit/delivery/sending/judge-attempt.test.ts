import { describe, expect, it } from 'vitest';
import { classify, type PostResult } from '../../../../core/delivery/attempt.ts';
import type { Reading } from '../../../../core/delivery/delivery-log.ts';
import { buildJudgeAttempt } from '../../../../core/delivery/sending/judge-attempt.ts';
import { type Facts, verdictOn } from '../../../../core/delivery/sending/verdict.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const HOUR_MS = 3_600_000;
const NOON = new Date('2026-11-20T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(NOON.getTime() - hours * HOUR_MS).toISOString();

const SITUATIONS = {
  outcome: ['refused', 'unanswered', 'not sent'],
  log: ['empty', 'unanswered', 'refused', 'delivered', 'unreadable'],
  isSetAside: [false, true],
  trigger: ['event', 'replay', 'manual'],
  window: ['none', 'open', 'over', 'of earlier settings'],
  onFatalError: ['pause', 'continue'],
  othersConfirmed: [false, true],
  isReplaying: [false, true],
  hasStreak: [false, true],
} as const;

type Situation = { [Name in keyof typeof SITUATIONS]: (typeof SITUATIONS)[Name][number] };

const everySituation = (): Situation[] =>
  Object.entries(SITUATIONS).reduce<object[]>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value: unknown) => ({ ...one, [name]: value }))),
    [{}],
  ) as Situation[];

/** What the situation is, in the words of the verdict. */
const factsOf = (of: Situation): Facts => {
  const isSent = of.outcome !== 'not sent';
  const isReplayed = of.trigger === 'replay';
  const wasRefused = isSent && of.log === 'refused';
  const mayBeSetAside = wasRefused || of.trigger !== 'event';
  const showsWindow = of.log === 'refused' || of.log === 'unanswered' || of.log === 'delivered';
  return {
    isDelivered: isSent && of.log === 'delivered',
    isSetAside: of.isSetAside && mayBeSetAside,
    isSent,
    isRefused: of.outcome === 'refused',
    isWindowOver: isSent && of.window === 'over' && showsWindow,
    othersConfirmed: of.othersConfirmed,
    // An event is counted once in its window.
    isInARow: of.hasStreak && of.window !== 'open',
    mayContinue: of.onFatalError === 'continue',
    isWaiting: isReplayed && (of.window === 'open' || of.window === 'over'),
    isOfReplay: isReplayed || wasRefused || of.isReplaying,
  };
};

const RESULTS: Record<Situation['outcome'], PostResult> = {
  refused: answered(422),
  unanswered: answered(504),
  'not sent': { kind: 'unanswered', reason: 'not-sent' },
};

/** An attempt 13 hours ago. */
const readingOf = ({ log }: Situation): Reading => {
  const at = { startedAt: hoursAgo(13), number: 1, backsOff: false };
  switch (log) {
    case 'empty':
      return { logged: 'nothing' };
    case 'unreadable':
      return { logged: 'unknown' };
    case 'unanswered':
      return { logged: 'attempted', latestAttempt: { ...at, outcome: 'transient' } };
    case 'refused':
      return { logged: 'attempted', latestAttempt: { ...at, outcome: 'fatal', statusCode: 422 } };
    case 'delivered':
      return { logged: 'delivered', latestAttempt: { ...at, outcome: 'delivered' } };
  }
};

const SINCE = { none: undefined, open: 1, over: 12, 'of earlier settings': 12 } as const;

const judged = async (of: Situation) => {
  const sinceHours = SINCE[of.window];
  const backoff = sinceHours && { since: hoursAgo(sinceHours), attempts: 3, hasSlot: false };
  const delivery = { ...aDelivery(), trigger: of.trigger, ...(backoff && { backoff }) };
  const integration = anIntegration({
    updatedAt: hoursAgo(of.window === 'of earlier settings' ? 6 : 48),
    settings: { ...anIntegration().settings, onFatalError: of.onFatalError },
    ...(of.isSetAside && { setAside: 1 }),
    ...(of.othersConfirmed && { confirmedAt: hoursAgo(0.5) }),
    ...(of.isReplaying && { replayingUntil: new Date(NOON.getTime() + 1).toISOString() }),
  });
  const done: string[] = [];
  const judge = buildJudgeAttempt({
    integrations: { find: async () => integration },
    setAsideEvents: {
      add: async () => {
        done.push('set aside');
        return true;
      },
      has: async () => of.isSetAside,
      remove: async () => expect.fail('It is not removed.'),
    },
    states: {
      countSetAside: async () => {},
      extendStreak: async () => ({
        since: hoursAgo(1),
        transients: 0,
        refusals: of.hasStreak ? 20 : 3,
      }),
    },
    troubles: {
      begin: async () => {
        done.push('failed');
        return true;
      },
    },
    readLog: async () => readingOf(of),
    confirmedSince: async () => of.othersConfirmed,
    ...{ failedAfter: 20, retryIntervalMs: HOUR_MS, windowMs: 12 * HOUR_MS },
  });
  const { trigger } = of;
  const outcome = classify(RESULTS[of.outcome]);
  const attempt = anAttempt({ startedAt: NOON, durationMs: 0, trigger, outcome });
  const { verdict, isDelivered } = await judge({ delivery, integration, attempt });
  return { verdict, isDelivered, done };
};

describe('the judgement of an attempt', () => {
  it('is that of its facts in every situation, and does what follows', async () => {
    const situations = everySituation();
    expect(situations).toHaveLength(5_760);
    const effects = { unchanged: [], waits: [], failed: ['failed'], 'set-aside': ['set aside'] };
    for (const situation of situations) {
      const facts = factsOf(situation);
      const verdict = verdictOn(facts);
      expect({ ...situation, ...(await judged(situation)) }).toEqual({
        ...situation,
        ...{ verdict, isDelivered: facts.isDelivered, done: effects[verdict] },
      });
    }
  });
});
