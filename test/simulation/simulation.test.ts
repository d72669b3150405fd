import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { type Exploration, explore } from './explore.ts';
import { scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

const RUNS = countOf({ usually: 2_000, long: 20_000 });
const SEED = 1;

/** Situations that must occur: the simulation proves nothing about a situation that does not. */
const SITUATIONS = [
  'integration waiting',
  'integration busy',
  'integration failed',
  'delivery backing-off',
  'delivery delivered',
  'delivery dropped: delivered-before',
  'delivery dropped: deleted',
  'delivery whose log cannot be read',
  'delivery pending',
  'delivery moved',
  'delivery refused-again',
  'delivery set aside',
  'delivery outdated',
  'event rerouted',
  'rerouted delivery dropped: delivered-before',
  'retry nothing-pending',
  'retry not-due',
  'retry over',
  'retry woken',
  'retry ended trouble',
  'retry retried',
  'replay continued',
  'replay completed',
  'replay purged',
  'replay stopped',
  'recovery completed',
  'recovery continued',
  'recovery stopped',
  'recovery purged',
  'recovery of what is not pending',
  'resend-delivery done',
  'resend-delivery repeated',
  'request-recovery done',
  'request-recovery repeated',
  'change-integration done',
  'change-integration repeated',
  'delete-integration done',
  'delete-integration repeated',
  'message handed out twice',
  'message handed out after its deletion',
  'schedule fires twice',
  'schedule fires late',
  'retry given up',
  'process crashed',
  'process timed out',
];

/** Every call of a port by a function, and of a queue by what invokes the function. */
const CALLS = [
  'afterStoring.find',
  'afterStoring.request',
  'deliveries.changeVisibility',
  'deliveries.delete',
  'deliveries.enqueue',
  'deliveryLog.read',
  'deliveryLog.write',
  'deliveryLog.confirmedSince',
  'endpoint.post',
  'events.delete',
  'integrations.find',
  'integrations.listOf',
  'integrations.remove',
  'integrations.replace',
  'log.bodyOf',
  'log.find',
  'log.undelivered',
  'pendingEvents.countAttempt',
  'pendingEvents.oldest',
  'pendingEvents.newest',
  'pendingEvents.pages',
  'pendingEvents.put',
  'pendingEvents.removeOf',
  'pendingEvents.removeAllAsRead',
  'pendingEvents.removeAsRead',
  'pendingEvents.purgePage',
  'setAsideEvents.add',
  'setAsideEvents.has',
  'setAsideEvents.remove',
  'replays.delete',
  'replays.request',
  'schedules.ensure',
  'schedules.remove',
  'states.claimRetry',
  'states.closeEpoch',
  'states.extendStreak',
  'states.begin',
  'states.confirm',
  'slots.takeSlot',
  'slowLane.enqueue',
  'states.noteSlowness',
  'states.end',
  'states.noteAttempt',
  'states.countSetAside',
];
const MISHAPS = [
  ['a crash at', /^crash (before|after): /],
  ['a fault of', /^fault (before|after): /],
  ['a repeated', /^repeated: /],
] as const;

describe('the core, whatever goes wrong around it', () => {
  let exploration: Exploration;
  beforeAll(async () => {
    exploration = await explore({ runs: RUNS, seed: SEED });
  });

  it('loses no event and leaves nothing behind at the end', () => {
    const { failure } = exploration;
    const found = failure && {
      rule: failure.rule,
      see: `npm run simulate -- --seed ${failure.seed} --path ${failure.path}`,
      scenario: JSON.stringify(failure.scenario),
    };
    expect(found).toBeUndefined();
    expect(exploration.runs).toBe(RUNS);
  });

  it.each(SITUATIONS)('was met with: %s', (situation) => {
    expect(exploration.met.get(situation) ?? 0).toBeGreaterThan(0);
  });

  it.each(MISHAPS)('was met with %s every call', (_title, mishap) => {
    const called = [...exploration.met.keys()]
      .filter((situation) => mishap.test(situation))
      .map((situation) => situation.replace(mishap, ''));
    // Nothing repeats a POST when its answer is lost.
    const missed = CALLS.filter((call) => !called.includes(call));
    expect(missed.filter((call) => call !== 'endpoint.post')).toEqual([]);
  });
});

describe('a run of the simulation', () => {
  it('goes step by step the same way again', async () => {
    for (const drawn of fc.sample(scenario, { seed: SEED, numRuns: 5 })) {
      const first = await simulate(drawn, { keepLines: true });
      const second = await simulate(drawn, { keepLines: true });
      expect(first.lines.length).toBeGreaterThan(20);
      expect(second.lines).toEqual(first.lines);
    }
  });
});
