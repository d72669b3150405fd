import { route as createAccessToken } from '../access-tokens/create-access-token.ts';
import { route as listAccessTokens } from '../access-tokens/list-access-tokens.ts';
import { route as revokeAccessToken } from '../access-tokens/revoke-access-token.ts';
import { route as getAccount } from '../accounts/get-account.ts';
import { route as getMe } from '../accounts/get-me.ts';
import { route as listAccounts } from '../accounts/list-accounts.ts';
import { route as listUsers } from '../accounts/list-users.ts';
import { route as patchAccount } from '../accounts/patch-account.ts';
import { route as listChanges } from '../activity/list-changes.ts';
import { route as getDelivery } from '../deliveries/get-delivery.ts';
import { route as getStatistics } from '../deliveries/get-statistics.ts';
import { route as listDeliveries } from '../deliveries/list-deliveries.ts';
import { route as listPendingEvents } from '../deliveries/list-pending-events.ts';
import { route as createIntegration } from '../integrations/create-integration.ts';
import { route as deleteIntegration } from '../integrations/delete-integration.ts';
import { route as getIntegration } from '../integrations/get-integration.ts';
import { route as listIntegrations } from '../integrations/list-integrations.ts';
import { route as patchIntegration } from '../integrations/patch-integration.ts';
import { route as replaceIntegration } from '../integrations/replace-integration.ts';
import { route as rotateSecret } from '../integrations/rotate-secret.ts';
import { route as getContext } from '../reference/get-context.ts';
import { route as getDocs } from '../reference/get-docs.ts';
import { route as getDocsAsset } from '../reference/get-docs-asset.ts';
import { route as getHome } from '../reference/get-home.ts';
import { route as getListen } from '../reference/get-listen.ts';
import { route as getLlmsTxt } from '../reference/get-llms-txt.ts';
import { route as getOpenapi } from '../reference/get-openapi.ts';
import { route as getProblem } from '../reference/get-problem.ts';
import { route as getReason } from '../reference/get-reason.ts';
import { route as listChangeTypes } from '../reference/list-change-types.ts';
import { route as listEventTypes } from '../reference/list-event-types.ts';
import { route as listProblems } from '../reference/list-problems.ts';
import { route as listReasons } from '../reference/list-reasons.ts';
import type { Route } from '../runtime/route.ts';
import { route as getSignature } from '../signatures/get-signature.ts';
import { route as requestRecovery } from '../test-and-recover/request-recovery.ts';
import { route as resendDelivery } from '../test-and-recover/resend-delivery.ts';
import { route as retryNow } from '../test-and-recover/retry-now.ts';
import { route as testIntegration } from '../test-and-recover/test-integration.ts';

/** Every route of the API, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  createIntegration,
  listIntegrations,
  getIntegration,
  replaceIntegration,
  patchIntegration,
  deleteIntegration,
  rotateSecret,
  listDeliveries,
  getDelivery,
  listPendingEvents,
  getStatistics,
  listChanges,
  testIntegration,
  retryNow,
  resendDelivery,
  requestRecovery,
  getMe,
  listAccounts,
  getAccount,
  patchAccount,
  listUsers,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
  getSignature,
  listEventTypes,
  listChangeTypes,
  listProblems,
  getProblem,
  listReasons,
  getReason,
  getHome,
  getLlmsTxt,
  getContext,
  getOpenapi,
  getDocs,
  getDocsAsset,
  getListen,
];
