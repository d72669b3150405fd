import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { call, eventually, publish, register, sampleEvent } from '../support/journey/platform.ts';
import type { ApiCall, ApiReply } from '../support/journey/platform-of.ts';
import { expectProblem } from '../support/journey/problems.ts';
import { CALLERS, CELLS } from '../support/lambdas/access-cells.ts';
import {
  filledAddress,
  OF_NOTHING,
  type PathValues,
  parametersIn,
  validBodyOf,
} from '../support/lambdas/route-requests.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';

const receiver = await receiverOfFile();
const [customer, other] = await Promise.all([newCustomer(), newCustomer()]);
const own = { ...customer, revokedToken: await customer.newRevokedToken() };

/** Returns the id of a new token of `own` that no call uses: a test may revoke it. */
const newUnusedToken = async (): Promise<string> => {
  const body = { name: 'To be revoked', role: 'member' };
  const { document } = await own.call('POST', `/${own.account}/access-tokens`, { body });
  return String(document.id).split('/').at(-1) ?? '';
};

/** An integration of `own` with a delivery, and a value for every other parameter of a path. */
const newThings = async (): Promise<PathValues> => {
  const { account, user, tokens } = own;
  const { id, bareId } = await register(receiver.url('/matrix'), { account, token: tokens.admin });
  const event = sampleEvent({ account });
  await publish(event);
  // The account's other integrations get the event, too, and this integration gets their events.
  const read = () => call('GET', `${id}/deliveries/${event.id}`, { token: tokens.member });
  await eventually(read, ({ document }) => document.outcome === 'delivered');
  return {
    account_name: account,
    account,
    user,
    id: bareId,
    event: event.id,
    token: await newUnusedToken(),
    document: 'Integration.jsonld',
    asset: 'swagger-ui.css',
    page: 'first-webhook',
    receiver: 'express',
    file: 'package.json',
    kind: 'validation',
    schema: 'message.received.json',
    reason: 'dns-failure',
  };
};

/** The things that refused calls and reads are about. */
const shared = await newThings();

/** The state of both accounts, and what the endpoint was sent: all that a call could change. */
const stateOfAll = async () => {
  const { id = '' } = shared;
  const read = async (path: string, { tokens }: Customer) => {
    const { document, headers } = await call('GET', path, { token: tokens.member });
    return { document, entityTag: headers.get('etag') };
  };
  return {
    read: await Promise.all([
      read(`/integrations/${id}`, own),
      read(`/integrations/${id}/deliveries`, own),
      read(`/integrations/${id}/deliveries/${shared.event}`, own),
      read(`/integrations/${id}/pending-events`, own),
      read(`/${own.account}/integrations?limit=100`, own),
      read(`/${other.account}/integrations?limit=100`, other),
      tokensOf(own),
      tokensOf(other),
    ]),
    received: receiver.requests.all.filter(({ body }) => body.includes(`/integrations/${id}/`))
      .length,
  };
};

/** An account's tokens without their last uses: even a refused call is a use. */
const tokensOf = async ({ account, tokens }: Customer) => {
  const path = `/${account}/access-tokens?limit=100`;
  const { document } = await call('GET', path, { token: tokens.member });
  const members = document.member as { id: string; revokedAt?: string }[];
  return members.map(({ id, revokedAt }) => ({ id, revokedAt }));
};

const refused = CELLS.filter(({ expected }) => expected.problem !== undefined);
const granted = CELLS.filter(({ expected }) => expected.problem === undefined);

describe('A refusal', () => {
  let before: Awaited<ReturnType<typeof stateOfAll>>;
  beforeAll(async () => {
    before = await stateOfAll();
  });

  it.concurrent.each(refused)(
    'is answered with $expected.status: $title',
    async ({ route, caller, expected: { status, problem = '' } }) => {
      const values = { ...shared, account_name: caller.names ? other.account : own.account };

      const reply = await call(route.method, filledAddress(route, values), {
        ...validBodyOf(route),
        ...caller.credentials({ own, other }),
      });

      expectProblem(reply, status, problem);
      expect(reply.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    },
  );

  it('changes nothing, whatever was called by whomever', async () => {
    expect(await stateOfAll()).toEqual(before);
  });
});

describe.concurrent('A call', () => {
  it.each(granted)(
    'is granted with $expected.status: $title',
    async ({ route, caller, expected }) => {
      const values = route.access === 'admin' ? await newThings() : shared;
      if (route.operationId === 'switchSecret') {
        const prepared = { ...validBodyOf(route), token: own.tokens.admin };
        await call('POST', `/integrations/${values.id}/rotate-secret`, prepared);
      }

      const { status, document } = await call(route.method, filledAddress(route, values), {
        ...validBodyOf(route),
        ...caller.credentials({ own, other }),
      });

      expect(status, JSON.stringify(document)).toBe(expected.status);
    },
  );
});

describe('Access to the API', () => {
  it(`is tried on ${ROUTES.length} routes, granted and refused`, () => {
    const ofAccounts = ROUTES.filter(({ path }) => path.includes('{account_name}'));
    const everywhere = CALLERS.filter(({ only }) => only === undefined);
    const ofAccountsOnly = CALLERS.length - everywhere.length;

    expect(everywhere.length).toBeGreaterThanOrEqual(8);
    expect(granted.length + refused.length).toBe(
      ROUTES.length * everywhere.length + ofAccounts.length * ofAccountsOnly,
    );
  });
});

const publicRoutes = ROUTES.filter(({ access }) => access === 'public');

describe('A public route', () => {
  it.each(publicRoutes)('answers every caller the same: $operationId', async (route) => {
    const replies = await Promise.all(
      CALLERS.map(({ credentials }) =>
        call('GET', filledAddress(route, shared), credentials({ own, other })),
      ),
    );

    const [first, ...rest] = replies.map(whatIsSeen);
    expect(first?.status).toBe(200);
    for (const reply of rest) expect(reply).toEqual(first);
  });
});

/** Headers that differ for each request, as the gateways of AWS and of emulators add them. */
const OF_REQUEST = new Set([
  'date',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-amz-apigw-id',
  'x-amzn-trace-id',
]);

/** An answer without the parts that differ for each request. */
const whatIsSeen = ({ status, headers, document }: ApiReply) => {
  const { instance: _, ...rest } = document;
  return {
    status,
    headers: [...headers].filter(([name]) => !OF_REQUEST.has(name)),
    document: rest,
  };
};

/** Each parameter of a path, by which an outsider may try to find out whether something exists. */
const probes = ROUTES.filter(({ access }) => access !== 'public').flatMap((route) =>
  parametersIn(route.path).flatMap((parameter) =>
    (['member', 'admin'] as const).map((role) => ({
      route,
      parameter,
      role,
      title: `{${parameter}} of ${route.operationId} by ${role}`,
    })),
  ),
);

/** Requests that could reveal that something exists: the service may notice other faults first. */
const waysToAsk = ({ body }: Route): readonly ApiCall[] => [
  validBodyOf({ body }),
  { ...validBodyOf({ body }), headers: { 'If-Match': '"of another"' } },
  { ...validBodyOf({ body }), headers: { 'If-Match': '*', 'Idempotency-Key': 'of-another' } },
  ...(body ? [{ body: { colour: 'red' } }] : []),
];

describe.concurrent('What exists in another account', () => {
  it.each(probes)('looks as if it did not: $title', async ({ route, parameter, role }) => {
    const token = other.tokens[role];
    const ofNothing = { ...shared, [parameter]: OF_NOTHING[parameter] ?? '' };

    for (const way of waysToAsk(route)) {
      const ask = async (values: PathValues) =>
        whatIsSeen(await call(route.method, filledAddress(route, values), { ...way, token }));

      const [existing, missing] = [await ask(shared), await ask(ofNothing)];

      expect(existing).toEqual(missing);
      expect([403, 404, 422]).toContain(existing.status);
    }
  });
});
