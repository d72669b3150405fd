import { describe, expect, it } from 'vitest';
import { Random } from '../simulation/chance.ts';
import { type MethodThrottle, methodsOf } from './method-throttles.ts';
import { LINK_ROLE, synthesise } from './template.ts';

/** Calls a second: the loop of one caller, and what all others do beside it. */
interface Load {
  readonly loop: number;
  readonly others: number;
}

const SECONDS = 600;

const instantsOf = (perSecond: number, random: Random): number[] => {
  const instants: number[] = [];
  let at = 0;
  while (at < SECONDS) {
    instants.push(at);
    at += -Math.log(1 - random.next()) / perSecond;
  }
  return instants;
};

/**
 * Of the calls of all others, the share that the gateway's token bucket lets through beside the loop.
 * WAF has not noticed the loop yet. Its calls come over several connections, as the others, not in
 * step.
 */
const shareLeft = ({ rate, burst }: MethodThrottle, { loop, others }: Load): number => {
  const random = new Random(1);
  const calls = [
    ...instantsOf(loop, random).map((at) => ({ at, isOther: false })),
    ...instantsOf(others, random).map((at) => ({ at, isOther: true })),
  ].toSorted((one, other) => one.at - other.at);
  let [tokens, since, taken, sent] = [burst, 0, 0, 0];
  for (const { at, isOther } of calls) {
    tokens = Math.min(burst, tokens + (at - since) * rate);
    since = at;
    if (isOther) sent += 1;
    if (tokens < 1) continue;
    tokens -= 1;
    if (isOther) taken += 1;
  }
  return taken / sent;
};

/** The loops that decide, beside 250 open pages of the console and usual work. */
const LOADS: Readonly<Record<string, Load>> = {
  ReadApi: { loop: 200, others: 30 },
  ChangeApi: { loop: 20, others: 5 },
  SendApi: { loop: 10, others: 3 },
  ServeReference: { loop: 20, others: 5 },
};

/** It costs as much as a test, and its loop is found as soon. */
const SEARCH = 'GET /{account_name}/deliveries';

describe('A token bucket', () => {
  it('lets through what its rate and burst allow', () => {
    const others = 50;
    expect(shareLeft({ rate: 1_000, burst: 1_000 }, { loop: 10, others })).toBe(1);
    expect(shareLeft({ rate: 10, burst: 1 }, { loop: 1_000, others })).toBeLessThan(0.02);
  });
});

describe.each([300, 500, 800, 1_000])('Beside one caller’s loop, with %i executions', (limit) => {
  const prod = synthesise('prod', {
    consoleLinkRoles: LINK_ROLE,
    mailFrom: 'webhooks@example.com',
    ...(limit < 1_000 && { concurrency: `${limit}` }),
  });

  it.each(Object.entries(LOADS))('others keep 99 %% of their calls of %s', (name, load) => {
    const left = methodsOf(prod)
      .filter(({ behind }) => behind === name)
      .map((method) => {
        const of = method.name === SEARCH ? LOADS.SendApi : load;
        return { method: method.name, share: shareLeft(method, of ?? load) };
      });

    expect(left.length).toBeGreaterThan(3);
    expect(left.filter(({ share }) => share < 0.99)).toEqual([]);
  });
});
