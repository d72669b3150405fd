import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { READ_SECONDS } from '../../bench/docs/open-pages.ts';
import { ASSET_NAMES } from '../../lambdas/api/reference/docs-assets.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { type Method, methodsOf } from './method-throttles.ts';
import { LINK_ROLE, type Properties, synthesise } from './template.ts';

/** What the other functions that reserve nothing need: of streams by their usual four shards. */
const OTHERS: Readonly<Record<string, number>> = {
  AnnounceChanges: 2 * 4,
  CountAttempts: 4,
  SendCanary: 1,
  SendNotices: 2,
};

/**
 * Seconds of a usual call in a sandbox that is warm: CPU time as measured, on the function's share of
 * a processor, and calls of AWS.
 */
const USUAL: Readonly<Record<string, number>> = {
  ReadApi: READ_SECONDS,
  'GET /{account_name}/deliveries': 0.3,
  ChangeApi: 0.3,
  // With an endpoint that answers within 100 ms.
  SendApi: 0.3,
  ServeReference: 0.02,
  ReceiveCanary: 0.1,
};

/** The most calls that an ordinary page makes of one method at once. */
const AT_ONCE: Readonly<Record<string, number>> = {
  // The list of webhooks reads their statistics four at a time.
  ReadApi: 4,
  // Beside the licence, the files of `/docs`.
  ServeReference: ASSET_NAMES.length - 1,
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const page = readFileSync('docs/operators/capacity.md', 'utf8').replaceAll(/\s+/g, ' ');

describe.each([286, 300, 500, 800, 1_000])('With %i executions, the API of prod', (limit) => {
  const prod = synthesise('prod', {
    consoleLinkRoles: LINK_ROLE,
    mailFrom: 'webhooks@example.com',
    ...(limit < 1_000 && { concurrency: `${limit}` }),
  });
  const methods = methodsOf(prod);
  const behindApi = [...new Set(methods.map(({ behind }) => behind))];
  const functions = prod.all('AWS::Lambda::Function').map(({ path, properties }) => ({
    name: path.split('/')[0] ?? '',
    reserved: Number(properties.ReservedConcurrentExecutions ?? 0),
  }));
  const shared =
    limit - sum(functions.map(({ reserved }) => reserved)) - sum(Object.values(OTHERS));

  it('shares what the functions of queues do not reserve', () => {
    const sharing = functions.filter(({ reserved }) => reserved === 0).map(({ name }) => name);

    expect(sharing.toSorted()).toEqual(
      [...behindApi, 'AuthorizeRequest', ...Object.keys(OTHERS)].toSorted(),
    );
    for (const { properties } of prod.all('AWS::Lambda::EventSourceMapping')) {
      const { MaximumConcurrency } = (properties.ScalingConfig ?? {}) as Properties;
      const reserved = functions.find(
        ({ name }) => prod.called(properties.FunctionName).path.split('/')[0] === name,
      )?.reserved;
      if (reserved) expect(reserved).toBe(MaximumConcurrency);
    }
    if (limit === 1_000) expect(page).toContain(`in \`prod\` ${shared} of 1,000 concurrent`);
  });

  it.each(behindApi)('has executions for all bursts of %s, and a method at its rate', (name) => {
    const own = methods.filter(({ behind }) => behind === name);
    const occupied = own.map((each) => each.rate * (USUAL[each.name] ?? USUAL[name] ?? Number.NaN));

    expect(sum(own.map(({ burst }) => burst)) + Math.max(...occupied)).toBeLessThanOrEqual(shared);
  });

  it('takes as many calls of a method at once as a page makes', () => {
    expect(methods.length).toBeGreaterThan(60);
    expect(
      methods.filter(({ behind, burst }: Method) => !(burst >= (AT_ONCE[behind] ?? 1))),
    ).toEqual([]);
  });
});

describe.each(['dev', 'prod'] as const)('A caller of %s', (stage) => {
  it('has at most a tenth of the rate of each method', () => {
    const { throttling: of } = settingsFor(stage) as StageSettings;
    const tenthOf = (perSecond: number) => (perSecond * 60) / 10;

    expect(of.requestsPerMinuteAndToken).toBeLessThanOrEqual(tenthOf(of.requestsPerSecond));
    expect(of.requestsPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(of.requestsPerSecond));
    for (const perSecond of [of.changesPerSecond, of.costlyPerSecond]) {
      expect(of.costlyPerMinuteAndToken).toBeLessThanOrEqual(tenthOf(perSecond));
      expect(of.costlyPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(perSecond));
    }
    expect(of.platformPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(of.platformPerSecond));
    expect(of.publicPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(of.publicPerSecond));
  });
});
