import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { buildListChanges } from '../../../core/changes/list-changes.ts';
import {
  buildGetDelivery,
  buildListDeliveries,
  buildListPendingEvents,
} from '../../../core/delivery/reading/read-deliveries.ts';
import { buildSearchDeliveries } from '../../../core/delivery/search/search-deliveries.ts';
import { buildGetStatistics } from '../../../core/delivery/statistics/get-statistics.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildPatchAccount } from '../../../core/directory/change-account.ts';
import { buildGetMe } from '../../../core/directory/get-me.ts';
import { buildGetSignature } from '../../../core/directory/get-signature.ts';
import {
  buildCreateAccessToken,
  buildListAccessTokens,
  buildRevokeAccessToken,
} from '../../../core/directory/manage-access-tokens.ts';
import {
  buildAccountsPage,
  buildGetAccount,
  buildUsersPage,
} from '../../../core/directory/read-accounts.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../../core/integration/change-integration.ts';
import { buildCreateIntegration } from '../../../core/integration/create-integration.ts';
import { releasingKeys } from '../../../core/integration/idempotency.ts';
import {
  buildGetIntegration,
  buildListIntegrations,
} from '../../../core/integration/read-integration.ts';
import { buildRotateSecret } from '../../../core/integration/rotate-secret.ts';
import {
  buildPatchIntegration,
  buildReplaceIntegration,
} from '../../../core/integration/write-integration.ts';
import { createHandler as creatingAccessToken } from '../../../lambdas/api/access-tokens/create-access-token.ts';
import { createHandler as listingAccessTokens } from '../../../lambdas/api/access-tokens/list-access-tokens.ts';
import { createHandler as revokingAccessToken } from '../../../lambdas/api/access-tokens/revoke-access-token.ts';
import { createHandler as gettingAccount } from '../../../lambdas/api/accounts/get-account.ts';
import { createHandler as gettingMe } from '../../../lambdas/api/accounts/get-me.ts';
import { createHandler as listingAccounts } from '../../../lambdas/api/accounts/list-accounts.ts';
import { createHandler as listingUsers } from '../../../lambdas/api/accounts/list-users.ts';
import { createHandler as patchingAccount } from '../../../lambdas/api/accounts/patch-account.ts';
import { createHandler as listingChanges } from '../../../lambdas/api/activity/list-changes.ts';
import { createHandler as gettingDelivery } from '../../../lambdas/api/deliveries/get-delivery.ts';
import { createHandler as gettingStatistics } from '../../../lambdas/api/deliveries/get-statistics.ts';
import { createHandler as listingDeliveries } from '../../../lambdas/api/deliveries/list-deliveries.ts';
import { createHandler as listingPendingEvents } from '../../../lambdas/api/deliveries/list-pending-events.ts';
import { createHandler as creating } from '../../../lambdas/api/integrations/create-integration.ts';
import { createHandler as deleting } from '../../../lambdas/api/integrations/delete-integration.ts';
import { createHandler as gettingIntegration } from '../../../lambdas/api/integrations/get-integration.ts';
import { createHandler as listingIntegrations } from '../../../lambdas/api/integrations/list-integrations.ts';
import { createHandler as patching } from '../../../lambdas/api/integrations/patch-integration.ts';
import { createHandler as replacing } from '../../../lambdas/api/integrations/replace-integration.ts';
import { createHandler as rotating } from '../../../lambdas/api/integrations/rotate-secret.ts';
import { CONTEXT_DOCUMENTS } from '../../../lambdas/api/reference/context-documents.ts';
import { docsAssets } from '../../../lambdas/api/reference/docs-assets.ts';
import { createHandler as gettingContext } from '../../../lambdas/api/reference/get-context.ts';
import { createHandler as gettingDocs } from '../../../lambdas/api/reference/get-docs.ts';
import { createHandler as gettingDocsAsset } from '../../../lambdas/api/reference/get-docs-asset.ts';
import { createHandler as gettingHome } from '../../../lambdas/api/reference/get-home.ts';
import { createHandler as gettingListen } from '../../../lambdas/api/reference/get-listen.ts';
import { createHandler as gettingLlmsTxt } from '../../../lambdas/api/reference/get-llms-txt.ts';
import { createHandler as gettingOpenapi } from '../../../lambdas/api/reference/get-openapi.ts';
import { createHandler as gettingProblem } from '../../../lambdas/api/reference/get-problem.ts';
import { createHandler as gettingReason } from '../../../lambdas/api/reference/get-reason.ts';
import { createHandler as listingChangeTypes } from '../../../lambdas/api/reference/list-change-types.ts';
import { createHandler as listingEventTypes } from '../../../lambdas/api/reference/list-event-types.ts';
import { createHandler as listingProblems } from '../../../lambdas/api/reference/list-problems.ts';
import { createHandler as listingReasons } from '../../../lambdas/api/reference/list-reasons.ts';
import { createHandler as gettingSignature } from '../../../lambdas/api/signatures/get-signature.ts';
import { createHandler as recovering } from '../../../lambdas/api/test-and-recover/request-recovery.ts';
import { createHandler as resending } from '../../../lambdas/api/test-and-recover/resend-delivery.ts';
import { createHandler as retrying } from '../../../lambdas/api/test-and-recover/retry-now.ts';
import { createHandler as testing } from '../../../lambdas/api/test-and-recover/test-integration.ts';
import { InMemoryPendingView } from '../delivery/pending/in-memory-pending-view.ts';
import { testAndRecoverOf } from '../delivery/recovery/test-and-recover-parts.ts';
import type { ApiParts, Observation } from './api-parts.ts';
import { openApiDocument } from './openapi.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => unknown;

/** By operation; each is made for a call. */
type Handlers = Readonly<Record<string, () => Handler>>;

/** The function of every route. */
export const handlersOverMemory = (parts: ApiParts, observation: Observation): Handlers => ({
  ...settingsHandlers(parts, observation),
  ...deliveryHandlers(parts, observation),
  ...directoryHandlers(parts, observation),
  ...referenceHandlers(observation),
});

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
      listingDeliveries({
        listDeliveries: buildListDeliveries(viewed),
        searchDeliveries: buildSearchDeliveries(parts),
        logger,
      }),
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
    listChanges: () =>
      listingChanges({
        listChanges: buildListChanges({ ...parts.directory, changes: parts.changes }),
        logger,
      }),
    testIntegration: () => testing({ testIntegration, logger }),
    retryNow: () => retrying({ retryNow, getIntegration, ...observation }),
    resendDelivery: () => resending({ resendDelivery, logger }),
    requestRecovery: () => recovering({ requestRecovery, getIntegration, logger }),
  };
};

const OPENAPI_DOCUMENT = openApiDocument();

const LISTEN = readFileSync('lambdas/api/reference/listen.mjs', 'utf8');

const referenceHandlers = ({ logger }: Observation): Handlers => {
  const assets = docsAssets({ styles: '', script: '', licenses: '' });
  return {
    listEventTypes: () => listingEventTypes({ logger }),
    listChangeTypes: () => listingChangeTypes({ logger }),
    listProblems: () => listingProblems({ logger }),
    getLlmsTxt: () => gettingLlmsTxt({ logger }),
    getProblem: () => gettingProblem({ logger }),
    listReasons: () => listingReasons({ logger }),
    getReason: () => gettingReason({ logger }),
    getHome: () => gettingHome({ console: new URL('https://console.example.com'), logger }),
    getContext: () => gettingContext({ documents: CONTEXT_DOCUMENTS, logger }),
    getOpenapi: () => gettingOpenapi({ createDocument: () => OPENAPI_DOCUMENT, logger }),
    getDocs: () => gettingDocs({ assets, logger }),
    getListen: () => gettingListen({ program: LISTEN, version: '1.2.3', logger }),
    getDocsAsset: () => gettingDocsAsset({ assets, logger }),
  };
};

const directoryHandlers = (
  { directory, signatures, now, randomBytes, accessTokensPerAccount }: ApiParts,
  { logger }: Observation,
): Handlers => ({
  getMe: () => gettingMe({ getMe: buildGetMe(directory), logger }),
  listAccounts: () =>
    listingAccounts({ accountsPage: buildAccountsPage(directory), mailEnabled: true, logger }),
  getAccount: () =>
    gettingAccount({ getAccount: buildGetAccount(directory), mailEnabled: true, logger }),
  patchAccount: () =>
    patchingAccount({ patchAccount: buildPatchAccount(directory), mailEnabled: true, logger }),
  listUsers: () => listingUsers({ usersPage: buildUsersPage(directory), logger }),
  listAccessTokens: () =>
    listingAccessTokens({ listAccessTokens: buildListAccessTokens(directory), logger }),
  createAccessToken: () =>
    creatingAccessToken({
      createAccessToken: buildCreateAccessToken({
        ...directory,
        now,
        randomBytes,
        accessTokensPerAccount,
      }),
      logger,
    }),
  revokeAccessToken: () =>
    revokingAccessToken({
      revokeAccessToken: buildRevokeAccessToken({ ...directory, now }),
      logger,
    }),
  getSignature: () => gettingSignature({ getSignature: buildGetSignature({ signatures }), logger }),
});
