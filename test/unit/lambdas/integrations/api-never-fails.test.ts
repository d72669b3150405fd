import type { APIGatewayProxyResult } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessTokenPath } from '../../../../core/directory/access-token-resource.ts';
import { hashLinkCode } from '../../../../core/directory/console-link.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { ROUTES } from '../../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../../lambdas/api/runtime/route.ts';
import { countOf } from '../../../support/count-of.ts';
import { attemptOf } from '../../../support/delivery/logged-deliveries.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import {
  fillDirectory,
  REVOKED_TOKEN,
  VALID_TOKEN,
} from '../../../support/directory/filled-directory.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import {
  type HostileRequest,
  hostileRequest,
  type Known,
} from '../../../support/hostile/requests.ts';
import { aConfig } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { type ApiOverMemory, apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';
import { createAnswerCheck, openApiDocument } from '../../../support/lambdas/openapi.ts';

/** Texts that are nowhere else, but the prepared secret, which the example of a switch names. */
const SECRETS = {
  webhookSecret: '5-in-force-5-in-force-5',
  previous: '6-from-before-6-from-before-6',
  next: 'another secret of my own',
  clientSecret: '7-of-clients-7-of-clients-7',
  header: '8-of-a-gateway-8-of-a-gateway-8',
};

const healthy = anIntegration({
  config: aConfig({
    webhookSecret: SECRETS.webhookSecret,
    previousSecrets: [{ secret: SECRETS.previous, expiresAt: '2026-11-21T12:00:00.000Z' }],
    nextWebhookSecret: SECRETS.next,
    clientSecret: SECRETS.clientSecret,
    headers: { 'X-Api-Key': SECRETS.header },
  }),
});

const STORED: readonly Integration[] = [
  healthy,
  { ...troubled('failed'), id: 'failed000000' },
  anIntegration({ id: 'inactive0000', active: false }),
  anIntegration({ id: 'elsewhere000', account: 'globex' }),
];

const KNOWN: Known = {
  parameters: {
    account_name: ['acme', 'acme', 'acme', 'acme', 'acme', 'globex'],
    account: ['acme', 'acme-sms', 'globex', 'nobody'],
    id: [healthy.id, healthy.id, 'failed000000', 'inactive0000', 'elsewhere000'],
    event: ['evt_01JD', 'evt_01JD', 'evt_pending', 'evt_unknown'],
    user: ['usr_1', 'usr_1', 'usr_2'],
    token: [VALID_TOKEN, VALID_TOKEN, REVOKED_TOKEN, 'tok_unknown'],
    document: ['Integration.jsonld', 'Delivery.jsonld', 'Nothing.jsonld'],
    asset: ['swagger-ui.css', 'nothing.js'],
    kind: ['validation', 'nothing'],
    reason: ['dns-failure', 'status-500', 'nothing'],
    schema: ['message.received.json', 'nothing.json'],
    page: ['first-webhook', 'nothing'],
    receiver: ['express', 'nothing'],
    file: ['package.json', 'nothing'],
  },
  entityTags: ['"0123456789Ab-1"', '"failed000000-1", "0123456789Ab-1"'],
};

/** With something of everything that the API keeps. */
const anApi = async (): Promise<ApiOverMemory> => {
  const api = apiOverMemory(STORED);
  const { directory, log, pendingEvents } = api.parts;
  await fillDirectory(directory);
  for (const { account, id } of STORED) {
    const delivery = aDelivery({ account, integration: id });
    await log.list([delivery]);
    await log.record(attemptOf(delivery, id === healthy.id ? 200 : 503));
  }
  const pending = aDelivery({
    integration: 'failed000000',
    event: anEventReference('evt_pending'),
  });
  await log.list([pending]);
  await pendingEvents.put(pending, A_MESSAGE);
  return api;
};

const send = (api: ApiOverMemory, route: Route, request: HostileRequest) => {
  const { role, segments, headers, query, body } = request;
  return api.send(route, {
    authorizer: { user: 'usr_1', account: 'acme', role },
    pathParameters: segments,
    ...(query !== undefined && { query }),
    headers: Object.fromEntries(
      Map.groupBy(headers, ([name]) => name)
        .entries()
        .map(([name, group]) => [name, group.map(([, value]) => value)]),
    ),
    body,
  });
};

const faultsOf = createAnswerCheck(openApiDocument());

const checkDocumented = ({ method, path }: Route, answer: APIGatewayProxyResult): void => {
  const { statusCode: status, body: text, headers } = answer;
  const mediaType = text === '' ? undefined : String(headers?.['Content-Type']);
  const body = /json/.test(mediaType ?? '') ? JSON.parse(text) : text;
  expect(faultsOf({ method, path, status, mediaType, body })).toEqual([]);
};

const checkProblem = (answer: APIGatewayProxyResult): void => {
  expect(answer.headers?.['Content-Type']).toBe('application/problem+json');
  expect(documentOf(answer).status).toBe(answer.statusCode);
};

/** What was answered is what is read from then on, but for its secret and warnings, shown once. */
const checkReadBack = async (api: ApiOverMemory, answer: APIGatewayProxyResult): Promise<void> => {
  const { warnings: _, ...document } = documentOf(answer);
  const again = await api.call('GET', String(document.id));
  expect(again.status).toBe(200);
  const config = {
    ...(document.config as object),
    webhookSecret: '[FILTERED]',
    ...('nextWebhookSecret' in (document.config as object) && { nextWebhookSecret: '[FILTERED]' }),
  };
  expect(again.document).toEqual({ ...document, config });
  expect(again.headers.etag).toBe(answer.headers?.ETag);
};

/** What else is so after a success, by operation. Where nothing is told, nothing has changed. */
const CONSEQUENCES: Record<
  string,
  (api: ApiOverMemory, answer: APIGatewayProxyResult, request: HostileRequest) => Promise<void>
> = {
  createIntegration: checkReadBack,
  replaceIntegration: checkReadBack,
  patchIntegration: checkReadBack,
  rotateSecret: checkReadBack,
  switchSecret: checkReadBack,
  deleteIntegration: async (api, _answer, { segments }) => {
    const { status } = await api.call('GET', `/integrations/${segments.id}`);
    expect(status).toBe(404);
  },
  testIntegration: async (api, answer) => {
    const reply = await api.call('GET', String(documentOf(answer).delivery));
    expect(reply).toMatchObject({ status: 200, document: { attempts: [{ trigger: 'test' }] } });
  },
  retryNow: async (api, answer) => {
    const { result, integration } = documentOf(answer);
    const { document } = await api.call('GET', String(integration));
    expect(document.isHealthy).toBe(result !== 'still-failing');
  },
  resendDelivery: async ({ parts }) => {
    expect(parts.deliveries.deliveries).toMatchObject([{ trigger: 'manual' }]);
  },
  createAccessToken: async ({ parts, observation }, answer) => {
    const { id, token } = documentOf(answer);
    expect(parts.directory.tokens.all.map((listed) => accessTokenPath(listed))).toContain(id);
    expect(observation.logger.text).not.toContain(token);
  },
  createConsoleLink: async ({ parts, observation }, answer) => {
    const [, code = ''] = String(documentOf(answer).url).split('#code=');
    expect(parts.directory.links.all.map(({ hash }) => hash)).toContain(hashLinkCode(code));
    expect(observation.logger.text).not.toContain(code);
  },
  createConsoleSession: async ({ parts, observation }, answer) => {
    const { id, token } = documentOf(answer);
    expect(parts.directory.tokens.all.map((listed) => accessTokenPath(listed))).toContain(id);
    expect(parts.directory.links.all).toEqual([]);
    expect(observation.logger.text).not.toContain(token);
  },
  setSignature: async ({ parts, observation }, answer, { segments }) => {
    const { content } = documentOf(answer);
    const stored = await parts.directory.signatures.findSignature(String(segments.user));
    expect(stored).toEqual({ account: 'acme', content });
    if (content !== '') expect(observation.logger.text).not.toContain(content);
  },
  revokeAccessToken: async ({ parts }, _answer, { segments }) => {
    const found = parts.directory.tokens.all.find(({ id }) => id === segments.token);
    expect(found?.revokedAt).toBeDefined();
  },
  patchAccount: async (api, answer) => {
    const { document } = await api.call('GET', String(documentOf(answer).id));
    expect(document).toEqual(documentOf(answer));
  },
  requestRecovery: async ({ parts }) => {
    expect(parts.replays.requested).toMatchObject([{ recovery: {} }]);
  },
};

const check = async (
  { api, route, request }: { api: ApiOverMemory; route: Route; request: HostileRequest },
  before: unknown,
): Promise<APIGatewayProxyResult> => {
  const answer = await send(api, route, request);
  expect(answer.statusCode, api.observation.logger.text).toBeLessThan(500);
  checkDocumented(route, answer);
  const isPage = route.answers.some(({ status }) => status === answer.statusCode);
  if (answer.statusCode >= 400 && !isPage) checkProblem(answer);
  const consequence = CONSEQUENCES[route.operationId];
  if (answer.statusCode < 400 && consequence) await consequence(api, answer, request);
  else expect(api.state()).toEqual(before);
  const shown = `${JSON.stringify(request)} ${route.access === 'public' ? SECRETS.next : ''}`;
  for (const secret of Object.values(SECRETS).filter((each) => !shown.includes(each))) {
    expect(answer.body).not.toContain(secret);
    expect(api.observation.logger.text).not.toContain(secret);
  }
  return answer;
};

/** There are documents that everyone may read, however they ask. */
const canRefuse = ({ access, refusals }: Route): boolean =>
  access !== 'public' || refusals.length > 0;

/** Where nothing but the headers can be wrong, refusals are rare. */
const runsOf = (route: Route): number => {
  const hasInput = route.path.includes('{') || route.query || route.body;
  const usually = canRefuse(route) && !hasInput ? 500 : 100;
  return countOf({ usually, long: 2_000 });
};

describe('whatever it is asked, the API', () => {
  it.for(ROUTES)(
    'answers, and changes nothing where it refuses: $method $path',
    async (route, { task }) => {
      const met = { accepted: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(hostileRequest(route, KNOWN), async (request) => {
          const api = await anApi();
          const { statusCode } = await check({ api, route, request }, api.state());
          met[statusCode < 400 ? 'accepted' : 'refused'] += 1;
        }),
        { numRuns: runsOf(route) },
      );
      task.meta.figures = { 'hostile requests': met.accepted + met.refused };
      expect(met.accepted).toBeGreaterThan(0);
      if (canRefuse(route)) expect(met.refused).toBeGreaterThan(0);
    },
  );

  it('answers with an address as browsers write it, as documented', async () => {
    const route = ROUTES.find(({ operationId }) => operationId === 'createIntegration');
    if (route === undefined) throw new Error('The route is missing.');
    const config = { baseUrl: 'https://hooks.example.com/¡{a}|b?q="c"' };
    const request: HostileRequest = {
      role: 'admin',
      segments: { account_name: 'acme' },
      query: undefined,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ active: true, provider: 'webhook', config, settings: {} }),
    };
    const api = await anApi();
    const answer = await check({ api, route, request }, api.state());
    expect(documentOf(answer)).toMatchObject({ config });
  });
});
