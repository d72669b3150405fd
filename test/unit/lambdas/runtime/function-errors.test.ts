import type { Context, SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLasting } from '../../../../adapters/aws-sdk/lasting-faults.ts';
import { deliveryAddedBy } from '../../../../adapters/dynamodb/delivery-index/delivery-index-changes.ts';
import { countedIn } from '../../../../adapters/dynamodb/delivery-log/delivery-log-changes.ts';
import { integrationWriteIn } from '../../../../adapters/dynamodb/integrations/integration-changes.ts';
import { JwksSignInTokens } from '../../../../adapters/jwt/jwks-sign-in-tokens.ts';
import type { AnnounceChanges } from '../../../../core/changes/announce-changes.ts';
import { accessTokenFrom } from '../../../../core/directory/access-token.ts';
import { buildAuthenticate } from '../../../../core/directory/authenticate.ts';
import type { IdentifiedUsers } from '../../../../core/directory/sign-in.ts';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import { type ApiFunction, functionOf } from '../../../../lambdas/api/runtime/route.ts';
import * as authorizeRequest from '../../../../lambdas/authorize-request/handler.ts';
import * as receiveCanary from '../../../../lambdas/canary/receive-canary/handler.ts';
import * as announceChanges from '../../../../lambdas/consumers/announce-changes/handler.ts';
import * as countAttempts from '../../../../lambdas/consumers/count-attempts/handler.ts';
import * as deliverWebhook from '../../../../lambdas/consumers/deliver-webhook/handler.ts';
import * as retryHourly from '../../../../lambdas/consumers/retry-hourly/handler.ts';
import * as routeEvent from '../../../../lambdas/consumers/route-event/handler.ts';
import * as runReplay from '../../../../lambdas/consumers/run-replay/handler.ts';
import * as sendNotices from '../../../../lambdas/consumers/send-notices/handler.ts';
import type { FunctionName } from '../../../../lib/constructs/function-bundles.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryAccessTokens } from '../../../support/directory/in-memory-access-tokens.ts';
import { hostileBody } from '../../../support/hostile/bodies.ts';
import { hostileRequest } from '../../../support/hostile/requests.ts';
import { oddText } from '../../../support/hostile/texts.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';
import { ALL_DONE, aBatch, aRecord, queueDeps } from '../../../support/lambdas/queue-functions.ts';
import { anObservation } from '../../../support/lambdas/recording-logger.ts';
import { OF_NOTHING } from '../../../support/lambdas/route-requests.ts';
import { untouchable } from '../../../support/untouchable.ts';

/** Calls a function once with something random. Rejects if the function does. */
type Calls = fc.IAsyncProperty<[unknown]>;

const known = {
  parameters: Object.fromEntries(
    Object.entries(OF_NOTHING).map(([name, value]) => [name, [value]]),
  ),
  entityTags: ['"x"'],
};

const ofApi = (name: ApiFunction): Calls => {
  const routes = ROUTES.filter((route) => functionOf(route) === name);
  const requests = fc
    .constantFrom(...routes)
    .chain((route) => hostileRequest(route, known).map((request) => ({ route, request })));
  return fc.asyncProperty(
    requests,
    async ({ route, request: { segments, role, headers, ...rest } }) => {
      const answer = await apiOverMemory([anIntegration()]).send(route, {
        ...(rest.query !== undefined && { query: rest.query }),
        body: rest.body,
        pathParameters: segments,
        headers: Object.fromEntries(headers),
        authorizer: route.access === 'public' ? null : { user: 'u', account: 'acme', role },
      });
      expect(answer.statusCode).toBeGreaterThan(199);
    },
  );
};

const [anyRoute] = ROUTES.filter(({ body }) => body);
const oddBody = anyRoute === undefined ? oddText : hostileBody(anyRoute).map((body) => body ?? '');

/** A message that nobody can read is a dead letter; a function error would hold its whole batch. */
const ofQueue = (
  createHandler: (
    deps: ReturnType<typeof queueDeps> & { deadLetters: InMemoryDeadLetters },
  ) => (batch: SQSEvent, context: Context) => Promise<unknown>,
): Calls =>
  fc.asyncProperty(fc.array(oddBody, { minLength: 1, maxLength: 10 }), async (bodies) => {
    const deadLetters = new InMemoryDeadLetters();
    const handler = createHandler({ ...queueDeps(), deadLetters });
    const batch = aBatch(...bodies.map((body, index) => aRecord(`m${index}`, body)));
    expect(await handler(batch, {} as Context)).toEqual(ALL_DONE);
    expect(deadLetters.letters).toHaveLength(bodies.length);
  });

const image = fc.dictionary(
  fc.constantFrom('account', 'id', 'active', 'config', 'PK', 'SK', 'attempts', 'outcome', 'body'),
  fc.oneof(
    oddText.map((S) => ({ S })),
    fc.constantFrom({ N: 'NaN' }, { BOOL: true }, { NULL: true }, { M: {} }, { L: [{}] }, {}, null),
  ),
);
const streamRecord = fc.record({
  eventName: fc.constantFrom('INSERT', 'MODIFY', 'REMOVE', 'toString'),
  dynamodb: fc.record(
    { SequenceNumber: fc.constant('1'), Keys: image, OldImage: image, NewImage: image },
    { requiredKeys: ['SequenceNumber'] },
  ),
});

const ofStream = (
  createHandler: (
    deps: ReturnType<typeof anObservation> & { deadLetters: InMemoryDeadLetters },
  ) => (event: never) => Promise<unknown>,
): Calls =>
  fc.asyncProperty(fc.array(streamRecord, { maxLength: 5 }), async (Records) => {
    const handler = createHandler({ ...anObservation(), deadLetters: new InMemoryDeadLetters() });
    const answer = await handler({ shardId: 'shard', Records } as never);
    expect(answer).toMatchObject({ batchItemFailures: [] });
  });

const base64url = (text: string) => Buffer.from(text).toString('base64url');

const credentials = fc.oneof(
  oddText,
  oddText.map((text) => `Bearer ${text}`),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
    return `Bearer ${accessTokenFrom(Buffer.from(bytes))}`;
  }),
  fc
    .array(fc.oneof(fc.json(), oddText), { minLength: 2, maxLength: 4 })
    .map((parts) => `Bearer ${parts.map(base64url).join('.')}`),
  fc.json().map((claims) => `Bearer ${base64url('{"alg":"none"}')}.${base64url(claims)}.`),
);

const authorizer = authorizeRequest.createHandler({
  authenticate: buildAuthenticate({
    tokens: new InMemoryAccessTokens(),
    now: () => new Date(0),
    onUnnotedUse: () => {},
    signIn: {
      // Nothing listens there: no such token has its key read.
      tokens: new JwksSignInTokens({
        issuer: 'https://id.example.com',
        clientId: 'console',
        jwksUri: 'http://127.0.0.1:1/',
      }),
      users: untouchable<IdentifiedUsers>('the users'),
    },
  }),
});

const canary = receiveCanary.createHandler({
  receiveCanary: async () => undefined,
  ...anObservation(),
});

/** By function, with the worst that a stranger, an endpoint or another part of the platform sends. */
const WORST: Record<FunctionName, Calls | undefined> = {
  'announce-changes': ofStream((deps) =>
    announceChanges.createHandler({
      ...deps,
      writeIn: integrationWriteIn,
      isLasting,
      announceChanges: (async () => []) as AnnounceChanges,
    }),
  ),
  'authorize-request': fc.asyncProperty(credentials, async (authorizationToken) => {
    const methodArn = 'arn:aws:execute-api:eu-west-1:111122223333:api/prod/GET/me';
    const { policyDocument } = await authorizer({ type: 'TOKEN', methodArn, authorizationToken });
    expect(policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
  }),
  'change-api': ofApi('change-api'),
  'count-attempts': ofStream((deps) =>
    countAttempts.createHandler({
      ...deps,
      additionsOf: (change) => ({
        attempts: countedIn(change),
        delivery: deliveryAddedBy(change),
      }),
      countAttempts: async () => [],
      index: { add: async () => {} },
      now: () => new Date(0),
      sleep: async () => {},
    }),
  ),
  'deliver-slowly': ofQueue(deliveringTo),
  'deliver-webhook': ofQueue(deliveringTo),
  'read-api': ofApi('read-api'),
  'receive-canary': fc.asyncProperty(
    fc.record({
      signature: fc.oneof(oddText, fc.constant('a1'.repeat(32))),
      body: fc.option(oddBody),
    }),
    async ({ signature, body }) => {
      const request = anApiEvent({ headers: { 'X-Service-Signature': signature }, body });
      expect(await call(canary, request)).toMatchObject({ statusCode: 404 });
    },
  ),
  'retry-hourly': ofQueue((deps) =>
    retryHourly.createHandler({ ...deps, retryHourly: untouchable('the retries') }),
  ),
  'route-event': ofQueue((deps) =>
    routeEvent.createHandler({
      ...deps,
      routeEvents: async () => ({
        routed: [],
        unwanted: [],
        filtered: [],
        unfiltered: [],
        faults: new Map(),
      }),
      isAccount: untouchable('the accounts'),
      countFiltered: async () => new Map(),
    }),
  ),
  'run-replay': ofQueue((deps) =>
    runReplay.createHandler({
      ...deps,
      runReplay: untouchable('the replays'),
      runRecovery: untouchable('the recoveries'),
    }),
  ),
  'send-api': ofApi('send-api'),
  // Its schedule sends nothing that it reads.
  'send-canary': undefined,
  'send-notices': ofQueue((deps) =>
    sendNotices.createHandler({ ...deps, sendNotice: untouchable('the mails') }),
  ),
  'serve-reference': ofApi('serve-reference'),
};

function deliveringTo(deps: ReturnType<typeof queueDeps> & { deadLetters: InMemoryDeadLetters }) {
  return deliverWebhook.createHandler({
    ...deps,
    startBatch: () => ({
      deliver: untouchable('the deliveries'),
      findIntegration: untouchable('the integrations'),
    }),
    attemptLines: 'all',
  });
}

describe('A function ends without an error that Lambda counts', () => {
  it.each(Object.entries(WORST))('%s', async (_name, calls) => {
    if (calls) await fc.assert(calls, { numRuns: 100 });
  });
});
