import { confirmingAmong } from '../../../core/delivery/statistics/confirming.ts';
import type { StreamedAttempt } from '../../../core/delivery/statistics/count-attempts.ts';
import type { Random } from '../../simulation/chance.ts';

/** Webhooks that are alike. Their faults begin at minute 0. */
export interface Webhooks {
  readonly count: number;
  readonly eventsPerHour: number;
  /** More events, in minute 0. */
  readonly burst?: number;
  /** What ends attempts, or a `share` of them. A tolerated refusal does not stop the webhook. */
  readonly fault?: 'refused' | 'tolerated' | 'unanswered';
  readonly share?: number;
  /** Failed long ago, and retried each hour. */
  readonly isFailed?: boolean;
}

/** What the functions count in a minute. */
export interface Minute {
  readonly stopped: number;
  readonly confirming: number;
  readonly failing: number;
}

const BUSY_AFTER = 20;
/** Of those that back off while a webhook is busy. */
const PROBES = 3;
/** When a delivery without an answer is attempted again. */
const BACKOFF_MINUTES = [0.25, 0.75, 1.75, 3.75, 7.75, 15.75, 31.75];

/** From half an hour before the faults until an hour after them. */
const [FIRST, LAST] = [-30, 60];

type Made = Pick<StreamedAttempt, 'counted' | 'trigger'> & { readonly at: number };

interface Life {
  readonly attempts: readonly Made[];
  /** When the webhook became busy or failed. */
  readonly stoppedAt?: number;
}

const retriesOf = (random: Random): Life => ({
  attempts: [FIRST, FIRST + 60]
    .map((hour) => hour + 60 * random.next())
    .map((at): Made => ({ at, counted: 'fatal', trigger: 'hourly' })),
});

const lifeOf = (webhooks: Webhooks, random: Random): Life => {
  const { fault, share = 1 } = webhooks;
  const attempts: Made[] = [];
  let unanswered = 0;
  for (const at of eventsOf(webhooks, random)) {
    if (fault === undefined || at < 0 || !random.happens(share)) {
      attempts.push({ at, counted: 'delivered', trigger: 'event' });
      unanswered = 0;
      continue;
    }
    const counted = fault === 'unanswered' ? 'transient' : 'fatal';
    attempts.push({ at, counted, trigger: 'event' });
    if (fault === 'refused') return { attempts, stoppedAt: at };
    if (fault === 'tolerated') continue;
    unanswered += 1;
    if (unanswered < BUSY_AFTER - PROBES || unanswered === BUSY_AFTER) {
      const again = BACKOFF_MINUTES.map((delay) => at + delay);
      attempts.push(...again.map((at): Made => ({ at, counted, trigger: 'backoff' })));
    }
    if (unanswered === BUSY_AFTER) return { attempts, stoppedAt: at };
  }
  return { attempts };
};

const eventsOf = ({ eventsPerHour, burst = 0 }: Webhooks, random: Random): readonly number[] => {
  const expected = (eventsPerHour * (LAST - FIRST)) / 60;
  const count = Math.floor(expected) + Number(random.happens(expected % 1));
  const events = Array.from({ length: count }, () => FIRST + random.next() * (LAST - FIRST));
  return [...events, ...Array.from({ length: burst }, () => random.next())].toSorted(
    (one, other) => one - other,
  );
};

/** The counts of each minute, of which the first is half an hour before the faults. */
export const minutesOf = (all: readonly Webhooks[], random: Random): readonly Minute[] => {
  const lives = all.flatMap((webhooks) =>
    Array.from({ length: webhooks.count }, () =>
      webhooks.isFailed ? retriesOf(random) : lifeOf(webhooks, random),
    ),
  );
  const streamed = lives.flatMap(({ attempts }, index) =>
    attempts.map(({ at, ...made }) => ({
      ...made,
      integration: `${index}`,
      minute: Math.floor(at),
    })),
  );
  const byMinute = Map.groupBy(streamed, ({ minute }) => minute);
  return Array.from({ length: LAST - FIRST }, (_, index) => {
    const minute = FIRST + index;
    const { confirming, notConfirming } = confirmingAmong(byMinute.get(minute) ?? []);
    const stopped = lives.filter(({ stoppedAt = LAST }) => Math.floor(stoppedAt) === minute);
    return { stopped: stopped.length, confirming, failing: notConfirming };
  });
};
