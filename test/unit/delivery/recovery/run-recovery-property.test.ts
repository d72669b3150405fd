import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recovery } from '../../../../core/delivery/pending/replay-requests.ts';
import {
  aRecovery,
  attemptOf,
  deliveryAt,
  NOON,
} from '../../../support/delivery/logged-deliveries.ts';
import { timeFor } from '../../../support/delivery/pending/replays.ts';
import {
  HALF_PAST_TWELVE,
  OF_INTEGRATION,
} from '../../../support/delivery/recovery/test-and-recover-parts.ts';

const SINCE_NOON = { since: NOON, until: HALF_PAST_TWELVE };

interface Logged {
  readonly second: number;
  /** What its attempts were answered with. */
  readonly statuses: readonly number[];
  readonly kind: 'event' | 'test' | 'pending';
}

const loggedOf = (...kinds: readonly Logged['kind'][]): fc.Arbitrary<Logged[]> =>
  fc.array(
    fc.record({
      second: fc.integer({ min: -5, max: 5 }),
      statuses: fc.array(fc.constantFrom(200, 500, 504), { maxLength: 3 }),
      kind: fc.constantFrom(...kinds),
    }),
    { maxLength: 90 },
  );

/** The log and the pending events as they are told, and what a recovery since noon owes. */
const aRecoveryOf = async (logged: readonly Logged[]) => {
  const known = logged.map((entry, index) => {
    const id = `${entry.kind === 'test' ? 'test' : 'evt'}_${String(index).padStart(20, '0')}`;
    return { ...entry, delivery: deliveryAt(entry.second, id) };
  });
  const recovery = await aRecovery({
    opened: known.map(({ delivery }) => delivery),
    attempts: known.flatMap(({ delivery, statuses, kind }) =>
      statuses.map((status, made) =>
        attemptOf(delivery, status, {
          number: made + 1,
          trigger: kind === 'test' ? 'test' : 'event',
        }),
      ),
    ),
    pending: known.flatMap(({ delivery, kind }) => (kind === 'pending' ? [delivery] : [])),
  });
  const due = known.filter(
    ({ kind, second, statuses }) =>
      kind === 'pending' || (kind === 'event' && second >= 0 && !statuses.includes(200)),
  );
  return { ...recovery, dueIds: due.map(({ delivery }) => delivery.event.id).toSorted() };
};

describe('a recovery', () => {
  it('queues what is pending and what did not arrive since then, each once and nothing else', () =>
    fc.assert(
      fc.asyncProperty(loggedOf('event', 'test', 'pending'), async (logged) => {
        const { runRecovery, queuedIds, dueIds } = await aRecoveryOf(logged);
        await runRecovery({ ...OF_INTEGRATION, recovery: SINCE_NOON }, () => true);
        expect(queuedIds().toSorted()).toEqual(dueIds);
      }),
    ));

  it('does so in any number of runs, where nothing is pending', () =>
    fc.assert(
      fc.asyncProperty(
        loggedOf('event', 'test'),
        fc.integer({ min: 2, max: 4 }),
        async (logged, times) => {
          const { runRecovery, replays, queuedIds, dueIds } = await aRecoveryOf(logged);
          for (let recovery: Recovery | undefined = SINCE_NOON; recovery !== undefined; ) {
            await runRecovery({ ...OF_INTEGRATION, recovery }, timeFor(times));
            recovery = replays.requested.pop()?.recovery;
            expect(replays.requested).toEqual([]);
          }
          expect(queuedIds().toSorted()).toEqual(dueIds);
        },
      ),
    ));
});
