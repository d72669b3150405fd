import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { type Exploration, explore } from './explore.ts';
import { scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

const RUNS = countOf({ usually: 1_000, long: 10_000 });
const SEED = 1;

/** Situations that must occur: the simulation proves nothing about a situation that does not. */
const SITUATIONS = Object.entries({
  integration: ['waiting', 'busy', 'failed'],
  delivery: [
    'backing-off',
    'delivered',
    'dropped: delivered-before',
    'dropped: deleted',
    'whose log cannot be read',
    'pending',
    'moved',
    'refused-again',
    'set aside',
    'outdated',
  ],
  backoff: ['ended while others were confirmed'],
  'confirmed delivery': ['refused'],
  event: ['rerouted', 'sent again'],
  rerouted: ['delivery dropped: delivered-before'],
  retry: [
    'nothing-pending',
    'not-due',
    'over',
    'woken',
    'ended trouble',
    'retried',
    'given up',
    'handed out twice',
  ],
  rule: [
    'of the attempts of an hour',
    'of the attempts of a retry',
    'of the newest event',
    'of active integrations',
    'of steady events',
    'of events that are never confirmed',
  ],
  replay: ['continued', 'completed', 'purged', 'stopped'],
  recovery: ['completed', 'continued', 'stopped', 'purged', 'of what is not pending'],
  'resend-delivery': ['done', 'repeated'],
  'request-recovery': ['done', 'repeated'],
  'change-integration': ['done', 'repeated'],
  'delete-integration': ['done', 'repeated'],
  message: ['handed out twice', 'handed out after its deletion'],
  schedule: ['fires twice', 'fires late'],
  process: ['crashed', 'timed out'],
}).flatMap(([subject, all]) => all.map((one) => `${subject} ${one}`));

/** Every call of a port by a function, and of a queue by what invokes the function. Few read a body. */
const CALLS = Object.entries({
  afterStoring: ['find', 'request'],
  deliveries: ['changeVisibility', 'delete', 'enqueue'],
  deliveryLog: ['read', 'write', 'confirmedSince'],
  endpoint: ['post'],
  events: ['delete'],
  integrations: ['find', 'listOf', 'remove', 'replace'],
  deliveryLogReader: ['find', 'undelivered'],
  pendingEvents: [
    'countAttempt',
    'oldest',
    'newest',
    'pages',
    'put',
    'removeOf',
    'removeAllAsRead',
    'removeAsRead',
    'purgePage',
  ],
  setAsideEvents: ['add', 'has', 'remove'],
  replays: ['delete', 'request'],
  schedules: ['ensure', 'remove'],
  states: [
    'claimRetry',
    'closeEpoch',
    'extendStreak',
    'begin',
    'confirm',
    'noteSlowness',
    'recover',
    'noteAttempt',
    'countSetAside',
  ],
  slots: ['takeSlot'],
  slowLane: ['enqueue'],
}).flatMap(([port, all]) => all.map((one) => `${port}.${one}`));
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

  it('loses no event and leaves nothing behind at the end', ({ task }) => {
    task.meta.figures = { 'simulated histories': exploration.runs };
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
