/**
 * How long each route of the API takes to answer in the embedded run, one call at a time.
 *
 *     npm run bench:api-latency [-- <calls of each route>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from '../lambdas/api/openapi/routes.ts';
import { eventNumbered, quantile, startBenchedService } from './service.ts';

const [calls = 200] = process.argv.slice(2).map(Number);
const WARM_UP = 5;
const EVENTS = 50;

const service = await startBenchedService();
const { account, adminToken, api, user } = service.run.endpoints;
const { endpoint, path: integration, url } = await service.webhookFor('message.received');
const events = Array.from({ length: EVENTS }, (_, index) => eventNumbered(index, { account }));
await service.publish(events);
await endpoint.untilConfirmed(EVENTS);

const parameters: Record<string, string> = {
  account_name: account,
  account,
  id: integration.split('/').at(-1) ?? '',
  user,
  event: events[0]?.id ?? '',
  document: 'Integration.jsonld',
  asset: 'swagger-ui.css',
};

const document = {
  active: true,
  provider: 'webhook',
  config: { baseUrl: url },
  settings: { actions: { 'message.received': true } },
};

/** The body that each operation with a body is sent. */
const bodies: Record<string, unknown> = {
  createIntegration: document,
  replaceIntegration: document,
  patchIntegration: { active: true },
  rotateSecret: {},
  testIntegration: { eventType: 'message.received' },
  createAccessToken: { name: 'Of the bench', role: 'member' },
  requestRecovery: { since: new Date(Date.now() - 60_000).toISOString() },
};

/** What each operation that deletes is called for. Each of its calls needs another. */
const CREATED_BY: Record<string, string> = {
  deleteIntegration: 'createIntegration',
  revokeAccessToken: 'createAccessToken',
};

/** The path of a new thing that an operation creates. */
const created = async (operationId: string): Promise<string> => {
  const path = ROUTES.find((route) => route.operationId === operationId)?.path ?? '';
  const response = await request('POST', filled(path), bodies[operationId]);
  return String(((await response.json()) as { id: string }).id);
};

const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');

const request = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(api + path, {
    method,
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

console.log(`${calls} calls of each route, one at a time, in milliseconds:\n`);
for (const { method, operationId, path } of ROUTES) {
  const timesMs: number[] = [];
  for (let call = -WARM_UP; call < calls; call += 1) {
    const creator = CREATED_BY[operationId];
    const target = creator === undefined ? filled(path) : await created(creator);
    const startedAt = performance.now();
    const response = await request(method, target, bodies[operationId]);
    await response.arrayBuffer();
    if (call >= 0) timesMs.push(performance.now() - startedAt);
    if (!response.ok) throw new Error(`${method} ${target} was answered ${response.status}.`);
  }
  const [median, p95] = [0.5, 0.95].map((share) => quantile(timesMs, share).toFixed(1).padStart(7));
  console.log(`${method.padEnd(7)}${path.padEnd(48)} median ${median}  p95 ${p95}`);
}
// The functions still work on what the calls asked for.
await delay(1_000);
await service.stop();
