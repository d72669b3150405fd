import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import { countOf } from '../support/count-of.ts';
import { callRaw, type RawAnswer } from '../support/hostile/raw-api-calls.ts';
import { type HostileRequest, hostileRequest, type Known } from '../support/hostile/requests.ts';
import { createBasePath } from '../support/journey/base-path.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually, observers } from '../support/journey/platform.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

const service = inject('service');
const { documentAtRoot } = createBasePath(service.api);

/** Placeholders in a request for things that are made when the request is sent. */
const KNOWN: Known = {
  parameters: {
    account_name: ['$account'],
    account: ['$account', '$account', 'nobody'],
    id: ['$id', '$id', '$id', '$id', 'zzzzzzzzzzzz'],
    event: ['$event', '$event', 'evt_unknown'],
    user: ['u_$account', 'u_unknown'],
    token: ['$token', '$token', 'tok_0000000000000000'],
    document: ['Integration.jsonld', 'Nothing.jsonld'],
    asset: ['start.js', 'nothing.js'],
    schema: ['message.received.json', 'nothing.json'],
    page: ['first-webhook', 'nothing'],
    receiver: ['express', 'nothing'],
    file: ['package.json', 'nothing'],
    kind: ['validation', 'nothing'],
    reason: ['dns-failure', 'status-500', 'nothing'],
  },
  entityTags: ['"$id-1"'],
};

/** API Gateway reads no more of all headers together. */
const MOST_HEADER_BYTES = 10_000;

const lengthOf = ({ headers, query = '', segments }: HostileRequest): number =>
  [...headers.flat(), query, ...Object.values(segments)].join('').length;

let receiver: MisbehavingReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.retire());

/** The id of a token that no call uses, so that its revocation refuses none. */
const newUnusedToken = async ({ account, call }: Customer): Promise<string> => {
  const body = { name: 'To be revoked', role: 'member' };
  const { document } = await call('POST', `/${account}/access-tokens`, { body });
  return String(document.id).split('/').at(-1) ?? '';
};

/** The things that a request names. */
const aSubject = async (route: Route, customer: Customer) => {
  const { account, call, register, publish, sampleEvent } = customer;
  // Of its own: what others were sent may arrive at any time.
  const receivedAt = `/${randomUUID()}`;
  const { id, bareId } = await register(receiver.url(receivedAt));
  const event = sampleEvent();
  if (route.path.includes('{event}')) {
    await publish(event);
    const read = () => call('GET', `${id}/deliveries?outcome=delivered`);
    await eventually(read, ({ document }) => document.totalItems === 1);
  }
  const token = route.path.includes('{token}') ? await newUnusedToken(customer) : '';
  return {
    id,
    countReceived: () => receiver.requests.all.filter(({ path }) => path === receivedAt).length,
    inPlaceOf: (text: string) =>
      text
        .replaceAll('$account', account)
        .replaceAll('$id', bareId)
        .replaceAll('$event', event.id)
        .replaceAll('$token', token),
  };
};

type Subject = Awaited<ReturnType<typeof aSubject>>;

const send = async (
  route: Route,
  request: HostileRequest,
  { customer, subject }: { customer: Customer; subject: Subject },
): Promise<RawAnswer> => {
  const { role, segments, query, headers, body } = request;
  const { inPlaceOf } = subject;
  const pathname = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => segments[name] ?? '');
  const path = inPlaceOf(pathname) + (query === undefined ? '' : `?${query}`);
  const answer = await callRaw(service.api, {
    method: route.method,
    path,
    token: route.access === 'public' ? undefined : customer.tokens[role],
    headers: headers.map(([name, value]) => [name, inPlaceOf(value)] as const),
    body,
  });
  await observers.checkAnswer({ method: route.method, path, ...answer });
  return answer;
};

const stateOf = async ({ account, call }: Customer, { id, countReceived }: Subject) => {
  const [integration, deliveries, list, tokens] = await Promise.all([
    call('GET', id),
    call('GET', `${id}/deliveries?limit=100`),
    call('GET', `/${account}/integrations?limit=100`),
    call('GET', `/${account}/access-tokens?limit=100`),
  ]);
  return {
    document: integration.document,
    entityTag: integration.headers.get('etag'),
    deliveries: deliveries.document.totalItems,
    integrations: list.document.totalItems,
    tokens: tokens.document.totalItems,
    received: countReceived(),
  };
};

const expectProblem = ({ status, headers, text }: RawAnswer): void => {
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(JSON.parse(text).status).toBe(status);
};

/** A later read shows what was answered, except for secrets and warnings, shown once. */
const expectReadBack = async ({ call }: Customer, answer: RawAnswer): Promise<void> => {
  const { warnings: _, ...answered } = documentAtRoot(JSON.parse(answer.text));
  const { document, headers } = await call('GET', String(answered.id));
  const { nextWebhookSecret, ...shown } = Object(answered.config);
  const config = {
    ...shown,
    webhookSecret: '[FILTERED]',
    ...(nextWebhookSecret !== undefined && { nextWebhookSecret: '[FILTERED]' }),
  };
  expect(document).toEqual({ ...answered, config });
  expect(headers.get('etag')).toBe(answer.headers.get('etag'));
};

/** The property of one route. Each run begins with an unchanged integration. */
const propertyOf = (route: Route, customer: Customer) => {
  let subject: Subject | undefined;
  let before: Awaited<ReturnType<typeof stateOf>>;
  const reads = route.method === 'GET';
  return fc.asyncProperty(hostileRequest(route, KNOWN), async (request) => {
    fc.pre(lengthOf(request) < MOST_HEADER_BYTES);
    if (subject === undefined) {
      subject = await aSubject(route, customer);
      before = await stateOf(customer, subject);
    }
    const answer = await send(route, request, { customer, subject });
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) expectProblem(answer);
    if (answer.status >= 400 || reads) {
      expect(await stateOf(customer, subject)).toEqual(before);
      return;
    }
    subject = undefined;
    if (answer.text !== '' && JSON.parse(answer.text)['@type'] === 'Integration') {
      await expectReadBack(customer, answer);
    }
  });
};

describe('whatever it is sent, the API', () => {
  it.for(ROUTES)(
    'answers, and changes nothing where it refuses: $method $path',
    async (route, { task }) => {
      const customer = await newCustomer();
      const numRuns = countOf({ usually: 4, long: 100 });
      task.meta.figures = { 'hostile requests': numRuns };
      await fc.assert(propertyOf(route, customer), {
        numRuns,
        // To look for a smaller example could take longer than a test may.
        endOnFailure: true,
      });
    },
  );
});
