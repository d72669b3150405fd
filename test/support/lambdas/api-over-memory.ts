import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import {
  buildGetDelivery,
  buildListDeliveries,
  buildListPendingEvents,
} from '../../../core/delivery/reading/read-deliveries.ts';
import { buildGetStatistics } from '../../../core/delivery/statistics/get-statistics.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../../core/integration/change-integration.ts';
import { buildCreateIntegration } from '../../../core/integration/create-integration.ts';
import { releasingKeys } from '../../../core/integration/idempotency.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import {
  buildGetIntegration,
  buildListIntegrations,
} from '../../../core/integration/read-integration.ts';
import { buildRotateSecret } from '../../../core/integration/rotate-secret.ts';
import {
  buildPatchIntegration,
  buildReplaceIntegration,
} from '../../../core/integration/write-integration.ts';
import { createHandler as gettingDelivery } from '../../../lambdas/api/deliveries/get-delivery/handler.ts';
import { createHandler as gettingStatistics } from '../../../lambdas/api/deliveries/get-statistics/handler.ts';
import { createHandler as listingDeliveries } from '../../../lambdas/api/deliveries/list-deliveries/handler.ts';
import { createHandler as listingPendingEvents } from '../../../lambdas/api/deliveries/list-pending-events/handler.ts';
import { createHandler as creating } from '../../../lambdas/api/integrations/create-integration/handler.ts';
import { createHandler as deleting } from '../../../lambdas/api/integrations/delete-integration/handler.ts';
import { createHandler as gettingIntegration } from '../../../lambdas/api/integrations/get-integration/handler.ts';
import { createHandler as listingIntegrations } from '../../../lambdas/api/integrations/list-integrations/handler.ts';
import { createHandler as patching } from '../../../lambdas/api/integrations/patch-integration/handler.ts';
import { createHandler as replacing } from '../../../lambdas/api/integrations/replace-integration/handler.ts';
import { createHandler as rotating } from '../../../lambdas/api/integrations/rotate-secret/handler.ts';
import { CONTEXT_DOCUMENTS } from '../../../lambdas/api/reference/get-context/context-documents.ts';
import { createHandler as gettingContext } from '../../../lambdas/api/reference/get-context/handler.ts';
import { docsAssets } from '../../../lambdas/api/reference/get-docs/assets.ts';
import { createHandler as gettingDocs } from '../../../lambdas/api/reference/get-docs/handler.ts';
import { createHandler as gettingDocsAsset } from '../../../lambdas/api/reference/get-docs-asset/handler.ts';
import { createHandler as gettingHome } from '../../../lambdas/api/reference/get-home/handler.ts';
import { createHandler as gettingOpenapi } from '../../../lambdas/api/reference/get-openapi/handler.ts';
import { createHandler as listingEventTypes } from '../../../lambdas/api/reference/list-event-types/handler.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import { createHandler as recovering } from '../../../lambdas/api/test-and-recover/request-recovery/handler.ts';
import { createHandler as resending } from '../../../lambdas/api/test-and-recover/resend-delivery/handler.ts';
import { createHandler as retrying } from '../../../lambdas/api/test-and-recover/retry-now/handler.ts';
import { createHandler as testing } from '../../../lambdas/api/test-and-recover/test-integration/handler.ts';
import { InMemoryPendingView } from '../delivery/pending/in-memory-pending-view.ts';
import {
  HALF_PAST_TWELVE,
  testAndRecoverOf,
  testAndRecoverParts,
} from '../delivery/recovery/test-and-recover-parts.ts';
import { InMemoryStatistics } from '../delivery/statistics/in-memory-statistics.ts';
import { inMemoryDirectory } from '../directory/in-memory-directory.ts';
import { InMemoryUserSignatures } from '../directory/in-memory-user-signatures.ts';
import { InMemoryHostAddresses } from '../integration/in-memory-host-addresses.ts';
import { InMemoryIdempotencyRecords } from '../integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import {
  InMemorySecrets,
  InMemorySecretWraps,
  quickHash,
} from '../integration/in-memory-secrets.ts';
import { type ApiEventWishes, anApiEvent, call } from './api-gateway-events.ts';
import { directoryHandlers } from './directory-handlers.ts';
import { anObservation } from './observed-handler.ts';
import { openApiDocument } from './openapi.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => unknown;

/** By operation; each is made for a call. */
type Handlers = Readonly<Record<string, () => Handler>>;

/** Everything the API keeps and uses; ids and secrets are numbered. */
const partsOf = (stored: readonly Integration[], now: () => Date) => {
  let ids = 0;
  let secrets = 0;
  let draws = 0;
  return {
    ...testAndRecoverParts(),
    integrations: new InMemoryIntegrations(...stored),
    statistics: new InMemoryStatistics(),
    idempotency: new InMemoryIdempotencyRecords(now),
    directory: inMemoryDirectory(),
    signatures: new InMemoryUserSignatures().add('usr_1', 'acme', 'Best regards'),
    secrets: new InMemorySecrets(),
    secretWraps: new InMemorySecretWraps(),
    slowHash: quickHash,
    hosts: new InMemoryHostAddresses({ 'inside.example.com': ['10.0.0.1'] }),
    guard: { allowLoopback: false },
    integrationsPerAccount: 100,
    now,
    newIntegrationId: () => {
      ids += 1;
      // So that they are not made in the order in which they are listed.
      return `id${String((ids * 617) % 1_000).padStart(3, '0')}${String(ids).padStart(7, '0')}`;
    },
    randomBytes: (size: number) => {
      draws += 1;
      return Buffer.alloc(size, `drawn ${draws}`);
    },
    newWebhookSecret: () => {
      secrets += 1;
      return `whsec_${Buffer.from(`made secret ${secrets}`.padEnd(24, '.')).toString('base64')}`;
    },
  };
};

type ApiParts = ReturnType<typeof partsOf>;

type Observation = ReturnType<typeof anObservation>;

const settingsHandlers = (parts: ApiParts, { logger }: Observation): Handlers => {
  const ports = {
    ...parts,
    settingsChange: buildSettingsChange(parts),
    pause: async () => {},
  };
  const changing = { ...ports, changeIntegration: buildChangeIntegration(ports) };
  const { now } = parts;
  return {
    createIntegration: () =>
      creating({ createIntegration: buildCreateIntegration(parts), now, logger }),
    listIntegrations: () =>
      listingIntegrations({
        listIntegrations: buildListIntegrations(parts),
        now,
        logger,
      }),
    getIntegration: () =>
      gettingIntegration({
        getIntegration: buildGetIntegration(parts),
        now,
        logger,
      }),
    replaceIntegration: () =>
      replacing({
        replaceIntegration: buildReplaceIntegration(changing),
        now,
        logger,
      }),
    patchIntegration: () =>
      patching({
        patchIntegration: buildPatchIntegration(changing),
        now,
        logger,
      }),
    deleteIntegration: () => {
      const settingsChange = releasingKeys(ports);
      const deleteIntegration = buildDeleteIntegration({ ...ports, settingsChange });
      return deleting({ deleteIntegration, logger });
    },
    rotateSecret: () => rotating({ rotateSecret: buildRotateSecret(changing), now, logger }),
  };
};

const deliveryHandlers = (parts: ApiParts, observation: Observation): Handlers => {
  const { integrations, log, pendingEvents, setAsideEvents } = parts;
  const pending = new InMemoryPendingView(pendingEvents, setAsideEvents);
  const viewed = { integrations, log, pending };
  const { logger } = observation;
  const getIntegration = buildGetIntegration(parts);
  const { testIntegration, retryNow, resendDelivery, requestRecovery } = testAndRecoverOf(parts);
  return {
    listDeliveries: () =>
      listingDeliveries({ listDeliveries: buildListDeliveries(viewed), logger }),
    getDelivery: () => gettingDelivery({ getDelivery: buildGetDelivery(viewed), logger }),
    listPendingEvents: () =>
      listingPendingEvents({
        listPendingEvents: buildListPendingEvents(viewed),
        logger,
      }),
    getStatistics: () =>
      gettingStatistics({
        getStatistics: buildGetStatistics({ ...parts, pending }),
        logger,
      }),
    testIntegration: () => testing({ testIntegration, logger }),
    retryNow: () => retrying({ retryNow, getIntegration, ...observation }),
    resendDelivery: () => resending({ resendDelivery, logger }),
    requestRecovery: () => recovering({ requestRecovery, getIntegration, logger }),
  };
};

const OPENAPI_DOCUMENT = openApiDocument();

const referenceHandlers = ({ logger }: Observation): Handlers => {
  const assets = docsAssets({ styles: '', script: '', licenses: '' });
  return {
    listEventTypes: () => listingEventTypes({ logger }),
    getHome: () => gettingHome({ console: new URL('https://console.example.com'), logger }),
    getContext: () => gettingContext({ documents: CONTEXT_DOCUMENTS, logger }),
    getOpenapi: () => gettingOpenapi({ createDocument: () => OPENAPI_DOCUMENT, logger }),
    getDocs: () => gettingDocs({ assets, logger }),
    getDocsAsset: () => gettingDocsAsset({ assets, logger }),
  };
};

export interface ApiOverMemory {
  readonly parts: ApiParts;
  readonly observation: Observation;
  /** Calls a route's function; `path` is made of the route's and the parameters. */
  send(route: Route, wishes?: Omit<ApiEventWishes, 'path'>): Promise<APIGatewayProxyResult>;
  /** All that the API keeps, as it is now, and what it has sent. */
  state(): unknown;
}

/** The function of every route, over memory, at half past twelve by default. */
export const apiOverMemory = (
  stored: readonly Integration[] = [],
  { now = () => HALF_PAST_TWELVE } = {},
): ApiOverMemory => {
  const parts = partsOf(stored, now);
  const observation = anObservation();
  const handlers: Handlers = {
    ...settingsHandlers(parts, observation),
    ...deliveryHandlers(parts, observation),
    ...directoryHandlers(parts, observation),
    ...referenceHandlers(observation),
  };
  return {
    parts,
    observation,
    send: (route, wishes = {}) => {
      const make = handlers[route.operationId];
      if (make === undefined) throw new Error(`Nothing is made for ${route.operationId}.`);
      const { pathParameters = {} } = wishes;
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent((pathParameters[name] ?? '').toWellFormed()),
      );
      const { method, path: resource } = route;
      return call(make(), anApiEvent({ ...wishes, method, path, resource }));
    },
    state: () => stateOf(parts),
  };
};

const stateOf = ({
  integrations,
  pendingEvents,
  setAsideEvents,
  log,
  ...parts
}: ApiParts): unknown =>
  structuredClone({
    integrations: integrations.all,
    pending: integrations.all.map(({ id }) => pendingEvents.of(id)),
    setAside: integrations.all.map(({ id }) => setAsideEvents.of(id)),
    deliveries: log.deliveries,
    attempts: log.attempts,
    queued: parts.deliveries.deliveries,
    replays: parts.replays.requested,
    schedules: parts.schedules.all,
    keys: parts.idempotency.all,
    tokens: parts.directory.list.all,
  });
