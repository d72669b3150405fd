import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SAVE_TIMEOUT_MS } from '../../adapters/http/dns-host-addresses.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { type MethodThrottle, throttlesOf } from './method-throttles.ts';
import { LINK_ROLE, type Properties, synthesise } from './template.ts';

const prod = synthesise('prod', {
  consoleLinkRoles: LINK_ROLE,
  mailFrom: 'webhooks@example.com',
});

/** Of an AWS account, unless it requests more. */
const ACCOUNT = 1_000;

/** What the other functions that reserve nothing need: of streams by their usual four shards. */
const OTHERS: Readonly<Record<string, number>> = {
  AnnounceChanges: 2 * 4,
  CountAttempts: 4,
  SendCanary: 1,
  SendNotices: 2,
};

/** Seconds that a caller can make a call take, in a sandbox that is warm. */
const SLOWEST: Readonly<Record<string, number>> = {
  // Reads of one page. A search reads 24 MB.
  ReadApi: 0.1,
  'GET /{account_name}/deliveries': 1,
  // Other changes may win each race (`buildPause`), and DNS may not answer.
  ChangeApi: 2.4 + SAVE_TIMEOUT_MS / 1_000,
  'POST /{account_name}/integrations': 1,
  'PATCH /accounts/{account}': 0.3,
  'POST /{account_name}/access-tokens': 0.3,
  'POST /accounts/{account}/console-links': 0.3,
  'POST /console-sessions': 0.3,
  'PUT /users/{user}/signature': 0.3,
  'DELETE /{account_name}/access-tokens/{token}': 0.3,
  // A test and a retry wait for an endpoint.
  SendApi: 1,
  'POST /integrations/{id}/test': 17,
  'POST /integrations/{id}/retry': 25,
  ServeReference: 0.02,
  ReceiveCanary: 0.1,
  AuthorizeRequest: 0.03,
};

interface Method extends MethodThrottle {
  /** Its function. */
  readonly behind: string;
  readonly name: string;
  readonly needsToken: boolean;
  /** Concurrent executions while calls come as fast as they are let through. */
  readonly occupied: number;
}

const throttleOf = throttlesOf(prod);

const resources = new Map(
  prod.all('AWS::ApiGateway::Resource').map(({ logicalId, properties }) => [logicalId, properties]),
);
const pathOf = (id: string): string => {
  const { ParentId, PathPart } = resources.get(id) ?? {};
  return PathPart === undefined
    ? ''
    : `${pathOf(String((ParentId as Properties).Ref ?? ''))}/${PathPart}`;
};

const methods: readonly Method[] = prod
  .all('AWS::ApiGateway::Method')
  .flatMap(({ properties: { HttpMethod, ResourceId, Integration, AuthorizationType } }) => {
    const { Uri } = Integration as Properties;
    if (Uri === undefined) return [];
    const path = pathOf(String((ResourceId as Properties).Ref ?? '')) || '/';
    const behind = prod.called(Uri).path.split('/')[0] ?? '';
    const { rate, burst } = throttleOf(String(HttpMethod), path);
    const name = `${HttpMethod} ${path}`;
    const slowest = SLOWEST[name] ?? SLOWEST[behind] ?? Number.NaN;
    const needsToken = AuthorizationType === 'CUSTOM';
    return [{ behind, name, needsToken, burst, rate, occupied: burst + rate * slowest }];
  });

const page = readFileSync('docs/operators/capacity.md', 'utf8');

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const functions = prod.all('AWS::Lambda::Function').map(({ path, properties }) => ({
  name: path.split('/')[0] ?? '',
  reserved: Number(properties.ReservedConcurrentExecutions ?? 0),
}));
const shared =
  ACCOUNT - sum(functions.map(({ reserved }) => reserved)) - sum(Object.values(OTHERS));

describe('The concurrency behind the API of prod', () => {
  const behindApi = [...new Set(methods.map(({ behind }) => behind)), 'AuthorizeRequest'];

  it('is shared by its functions, and reserved by those of queues alone', () => {
    const sharing = functions.filter(({ reserved }) => reserved === 0).map(({ name }) => name);

    expect(sharing.toSorted()).toEqual([...behindApi, ...Object.keys(OTHERS)].toSorted());
    for (const { properties } of prod.all('AWS::Lambda::EventSourceMapping')) {
      const { MaximumConcurrency } = (properties.ScalingConfig ?? {}) as Properties;
      const reserved = functions.find(
        ({ name }) => prod.called(properties.FunctionName).path.split('/')[0] === name,
      )?.reserved;
      if (reserved) expect(reserved).toBe(MaximumConcurrency);
    }
    expect(page).toContain(`in \`prod\` ${shared} of 1,000 concurrent executions`);
  });

  it('exceeds what the gateway lets through to each method', () => {
    expect(methods.length).toBeGreaterThan(60);
    expect(methods.filter(({ occupied }) => !(occupied <= shared))).toEqual([]);
  });

  it.each(behindApi)('exceeds what it lets through to all methods before %s together', (name) => {
    const occupied =
      name === 'AuthorizeRequest'
        ? // Of tokens that it does not know yet.
          methods
            .filter(({ needsToken }) => needsToken)
            .map(({ burst, rate }) => burst + rate * (SLOWEST[name] ?? 0))
        : methods.filter(({ behind }) => behind === name).map((method) => method.occupied);

    expect(sum(occupied)).toBeLessThanOrEqual(shared);
  });
});

describe.each(['dev', 'prod'] as const)('A caller of %s', (stage) => {
  it('has at most a tenth of the rate of each method', () => {
    const { throttling: of } = settingsFor(stage) as StageSettings;
    const tenthOf = (perSecond: number) => (perSecond * 60) / 10;

    expect(of.requestsPerMinuteAndToken).toBeLessThanOrEqual(tenthOf(of.requestsPerSecond));
    expect(of.requestsPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(of.requestsPerSecond));
    for (const perSecond of [of.changesPerSecond, of.costlyPerSecond]) {
      expect(of.costlyPerMinuteAndAccount).toBeLessThanOrEqual(tenthOf(perSecond));
      expect(of.costlyPerMinuteAndToken).toBeLessThanOrEqual(tenthOf(perSecond));
      expect(of.costlyPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(perSecond));
    }
    expect(of.publicPerMinuteAndAddress).toBeLessThanOrEqual(tenthOf(of.publicPerSecond));
  });
});
