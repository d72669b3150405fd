import { describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { changeIntegration } from './api-calls.ts';
import { sendSteadily } from './steady-events.ts';
import type { World } from './world.ts';

const EVENTS = countOf({ usually: 2_000, long: 100_000 });
const HOUR_MS = 3_600_000;
const LONG_MS = 1_800_000;

const switchTo = (active: boolean) => (world: World) =>
  changeIntegration(world, { integration: 0, active, address: 0, secret: 0, keeps: true });

/** How the endpoint confirms what waited until a change of settings, an hour after the first event. */
const afterBeing = async (what: 'inactive' | 'failed') => {
  const confirmedMs: number[] = [];
  const waits = await sendSteadily({
    burst: EVENTS,
    burstEveryMs: 20,
    hours: 2,
    onFatalError: 'pause',
    takesMs: () => 50,
    answer: (_event, sinceMs) => {
      if (what === 'failed' && sinceMs < HOUR_MS) return 'error';
      confirmedMs.push(sinceMs - HOUR_MS);
      return 'ok';
    },
    isGood: () => true,
    meanwhile: [
      ...(what === 'inactive' ? [{ atMs: 0, act: switchTo(false) }] : []),
      { atMs: HOUR_MS, act: switchTo(true) },
    ],
  });
  expect(waits.violation).toBeUndefined();
  expect(waits.undeliveredAfter(0)).toBe(0);
  expect(waits.wasFailed).toBe(what === 'failed');
  return { posts: confirmedMs.length, firstMs: confirmedMs[0], lastMs: confirmedMs.at(-1) ?? 0 };
};

describe(`${EVENTS} events that an inactive integration keeps`, () => {
  it('are sent once it is active, as fast as after a failure', { timeout: LONG_MS }, async () => {
    const kept = await afterBeing('inactive');
    const failed = await afterBeing('failed');
    expect([kept.posts, failed.posts]).toEqual([EVENTS, EVENTS]);
    expect(kept.firstMs).toBeGreaterThan(0);
    expect(kept.lastMs).toBeLessThan(1.1 * failed.lastMs);
  });
});
