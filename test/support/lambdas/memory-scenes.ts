import type { Change } from '../../../core/changes/change-resource.ts';
import { customerLimits } from '../../../core/customer-limits.ts';
import type { PostResult } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { aChangeAt } from '../changes/changes.ts';
import { anAttempt } from '../delivery/attempts.ts';
import { answered, redirecting } from '../delivery/scripted-webhook-endpoint.ts';
import { aStreamedAttempt } from '../delivery/statistics/streamed-attempts.ts';
import { aStreamedDelivery } from '../delivery/streamed-deliveries.ts';
import { troubled } from '../delivery/trouble/troubled.ts';
import { fillDirectory, VALID_TOKEN } from '../directory/filled-directory.ts';
import { A_MESSAGE, aDelivery, anEvent, anEventReference } from '../event/platform-events.ts';
import { aConfig } from '../integration/in-memory-secrets.ts';
import { anIntegration } from '../integration/integrations.ts';
import {
  type ApiCall,
  type ApiOverMemory,
  type ApiReply,
  apiOverMemory,
} from './api-over-memory.ts';
import {
  type DocumentedOperation,
  operationOf,
  parameterExamplesOf,
} from './documented-operations.ts';
import { filledAddress, type PathValues } from './route-requests.ts';

/** The API over memory in the state that an example needs. */
export interface Scene {
  readonly api: ApiOverMemory;
  /** Overrides the values that paths have in every scene. */
  readonly values?: PathValues;
  readonly query?: string;
}

/** One more than a page has by default. */
const MORE_THAN_A_PAGE = 21;

const { accessTokensPerAccount, integrationsPerAccount } = customerLimits;

/** With the settings that the examples show. */
const shown = (overrides: Partial<Integration> = {}): Integration => ({
  ...anIntegration(overrides),
  settings: { actions: subscribedTo('message.received', 'message.failed'), onFatalError: 'pause' },
});

const deliveryOf = (event: string): Delivery => aDelivery({ event: anEventReference(event) });

const newScene = async (...stored: readonly Integration[]) => {
  const api = apiOverMemory(stored);
  await fillDirectory(api.parts.directory);
  const logAttempts = async (delivery: Delivery, ...results: readonly PostResult[]) => {
    await api.parts.log.list([delivery]);
    for (const [index, result] of results.entries()) {
      const { integration, event } = delivery;
      const isLast = index === results.length - 1;
      const attempt = anAttempt({ integration, event, number: index + 1 }, result);
      const startedAt = new Date(attempt.startedAt.getTime() + index * 15_000);
      const nextAttemptAt = new Date(startedAt.getTime() + 15_000);
      await api.parts.log.record({ ...attempt, startedAt, ...(!isLast && { nextAttemptAt }) });
    }
  };
  /** Makes the endpoint answer every later request in this way. */
  const answerWith = (result: PostResult) =>
    void Object.assign(api.parts.endpoint, { post: async () => result });
  answerWith(answered(200, 'OK'));
  return { api, logAttempts, answerWith };
};

/** An active integration with a delivery that arrived. */
export const usualScene = async (stored = shown()) => {
  const scene = await newScene(stored);
  await scene.logAttempts(aDelivery(), answered(200, 'OK'));
  return scene;
};

/** A failed integration with a number of pending events. */
const failed = async (pending = 1, trouble: Parameters<typeof troubled>[1] = {}) => {
  const { trouble: failure, epoch } = troubled('failed', { statusCode: 500, ...trouble });
  const scene = await newScene(shown({ trouble: failure, epoch }));
  for (let index = 0; index < pending; index += 1) {
    const delivery = deliveryOf(`evt_${String(index).padStart(2, '0')}`);
    await scene.logAttempts(delivery);
    await scene.api.parts.pendingEvents.put(delivery, A_MESSAGE);
  }
  scene.answerWith(answered(500, 'Internal Server Error'));
  return scene;
};

export const inactiveScene = () => usualScene(shown({ active: false }));

/** An account that has all the integrations it may have. */
export const fullScene = () =>
  newScene(
    shown(),
    ...Array.from({ length: integrationsPerAccount - 1 }, (_, index) =>
      shown({ id: `${index}`.padStart(12, '0') }),
    ),
  );

/** An account that has all the access tokens it may have. */
export const manyTokensScene = async () => {
  const scene = await usualScene();
  const { tokens } = scene.api.parts.directory;
  const [some] = tokens.all;
  if (!some) throw new Error('The directory has no token.');
  for (let index = 0; index < accessTokensPerAccount; index += 1) {
    const number = String(index).padStart(16, '0');
    await tokens.add({ ...some, id: `tok_${number}`, hash: number });
  }
  return scene;
};

/** An integration whose delivery is a test. */
export const testedScene = async (): Promise<Scene> => {
  const scene = await newScene(shown());
  const delivery = deliveryOf('test_0123456789abcdefABCD');
  await scene.api.parts.log.list([delivery]);
  await scene.api.parts.log.record(
    anAttempt({ event: delivery.event, trigger: 'test' }, answered(204)),
  );
  return { ...scene, values: { event: delivery.event.id } };
};

const withManyDeliveries = async () => {
  const scene = await newScene(shown());
  for (let index = 0; index < MORE_THAN_A_PAGE; index += 1) {
    await scene.logAttempts(deliveryOf(`evt_${index}`), answered(200));
  }
  return scene;
};

const withSubject = async () => {
  const scene = await newScene(shown());
  const body = JSON.stringify({ data: { message: { id: 'msg_1' } } });
  const delivery = { ...deliveryOf('evt_1'), body };
  await scene.logAttempts(delivery, answered(504), answered(200));
  const { integration, event } = delivery;
  await scene.api.parts.index.add('1', [aStreamedDelivery({ integration, event })]);
  return scene;
};

const withEventSetAside = async (): Promise<Scene> => {
  const scene = await usualScene();
  await scene.api.parts.setAsideEvents.add(aDelivery());
  return { ...scene, query: 'state=set-aside' };
};

const counted = async () => {
  const scene = await usualScene();
  const attempted = { integration: anIntegration().id, hour: '2026-11-20T12' as const };
  await scene.api.parts.statistics.add(attempted, 'shard', [aStreamedAttempt()]);
  return scene;
};

/** So many failures, recoveries and changes of settings that they fill more than a page. */
const withManyChanges = async () => {
  const scene = await usualScene();
  const since = '2026-11-20T12:00:00.000Z';
  const trouble = { since, statusCode: 500 };
  const members = [
    {
      name: 'config.baseUrl',
      from: 'https://hooks.example.com/test',
      to: 'https://hooks.example.com/in',
    },
    { name: 'settings.actions.message.failed', from: false, to: true },
    { name: 'config.clientSecret' },
  ];
  const by = 'service';
  const kinds: readonly Partial<Change>[] = [
    { kind: 'settings-changed', members },
    { kind: 'failed', by, ...trouble },
    { kind: 'recovered', by, ...trouble, endedBy: 'success' },
  ];
  for (let index = 0; index < MORE_THAN_A_PAGE; index += 1) {
    const at = new Date(Date.parse(since) + index * 1_000).toISOString();
    await scene.api.parts.changes.add([aChangeAt(at, kinds[index % kinds.length])]);
  }
  return { ...scene, query: `integration=${anIntegration().id}&limit=3` };
};

/** An unused token, a used one and a revoked one. */
const withTokens = async () => {
  const scene = await usualScene();
  const { directory } = scene.api.parts;
  await perform(operationOf('createAccessToken'), scene, { body: { name: 'New', role: 'member' } });
  const used = directory.tokens.all.find(({ id }) => id === VALID_TOKEN);
  const usedAt = '2026-11-20T12:00:00.000Z';
  await directory.tokens.noteUse(used?.hash ?? '', { usedAt, unlessAfter: usedAt });
  return scene;
};

const retriedBefore = async () => {
  const scene = await newScene(shown());
  const refused: PostResult = {
    kind: 'unanswered',
    reason: 'connection-refused',
    code: 'ECONNREFUSED',
  };
  const { body } = createDelivery(anEvent(), anIntegration().id);
  await scene.logAttempts({ ...aDelivery(), body }, refused, answered(200, 'OK'));
  return scene;
};

const withAnswer = (scene: typeof usualScene | typeof failed, result: PostResult) => async () => {
  const made = await scene();
  made.answerWith(result);
  return made;
};

/** By operation and name of the example; every other example uses `usualScene`. */
const rotating = () =>
  usualScene(shown({ config: aConfig({ nextWebhookSecret: 'another secret of my own' }) }));

const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  'listAccessTokens.all': withTokens,
  'listAccessTokens.parameters': withTokens,
  'listAccounts.all': async () => ({ ...(await usualScene()), values: { account: 'acme-sms' } }),
  'getAccount.below': async () => ({ ...(await usualScene()), values: { account: 'acme-sms' } }),
  'getIntegration.failed': failed,
  'getIntegration.refusesSome': () => failed(1, { statusCode: 422, confirmedOthers: true }),
  'patchIntegration.withoutClientSecret': () =>
    usualScene(shown({ config: aConfig({ clientSecret: 'for the client applications' }) })),
  'listIntegrations.page': async () => ({ ...(await fullScene()), query: 'limit=1' }),
  'listIntegrations.parameters': fullScene,
  'getDelivery.delivered': retriedBefore,
  'listDeliveries.page': async () => ({ ...(await withManyDeliveries()), query: 'limit=1' }),
  'listDeliveries.parameters': withManyDeliveries,
  'searchDeliveries.about': withSubject,
  'searchDeliveries.parameters': withSubject,
  'getStatistics.counted': counted,
  'listChanges.page': withManyChanges,
  'listChanges.parameters': withManyChanges,
  'listPendingEvents.some': async () => ({ ...(await failed(2)), query: 'limit=1' }),
  'listPendingEvents.setAside': withEventSetAside,
  'switchSecret.usual': rotating,
  'switchSecret.leaked': rotating,
  'retryNow.recovered': withAnswer(failed, answered(200, 'OK')),
  'retryNow.still-failing': withAnswer(failed, redirecting('hooks.example.com/in/')),
  'testIntegration.unanswered': withAnswer(usualScene, {
    kind: 'unanswered',
    reason: 'connection-refused',
    code: 'ECONNREFUSED',
  }),
};

export const sceneOf = (operationId: string, example: string): Promise<Scene> =>
  (SCENES[`${operationId}.${example}`] ?? usualScene)();

const VALUES: PathValues = {
  account_name: 'acme',
  account: 'acme',
  user: 'usr_1',
  id: anIntegration().id,
  event: aDelivery().event.id,
  token: VALID_TOKEN,
};

export interface SceneRequest extends ApiCall {
  readonly values?: PathValues;
}

/** Calls an operation in a scene. */
export const perform = (
  { route, operation }: DocumentedOperation,
  { api, values, query }: Scene,
  { values: own, ...request }: SceneRequest = {},
): Promise<ApiReply> => {
  const examples = parameterExamplesOf(operation, 'path');
  const path = filledAddress(route, { ...examples, ...VALUES, ...values, ...own });
  return api.call(route.method, path, { ...(query && { query }), ...request });
};
