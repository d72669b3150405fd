import { route as createAccessToken } from '../access-tokens/create-access-token/route.ts';
import { route as listAccessTokens } from '../access-tokens/list-access-tokens/route.ts';
import { route as revokeAccessToken } from '../access-tokens/revoke-access-token/route.ts';
import { route as getAccount } from '../accounts/get-account/route.ts';
import { route as getMe } from '../accounts/get-me/route.ts';
import { route as listAccounts } from '../accounts/list-accounts/route.ts';
import { route as listUsers } from '../accounts/list-users/route.ts';
import { route as patchAccount } from '../accounts/patch-account/route.ts';
import { route as listChanges } from '../activity/list-changes/route.ts';
import { route as getDelivery } from '../deliveries/get-delivery/route.ts';
import { route as getStatistics } from '../deliveries/get-statistics/route.ts';
import { route as listDeliveries } from '../deliveries/list-deliveries/route.ts';
import { route as listPendingEvents } from '../deliveries/list-pending-events/route.ts';
import { route as createIntegration } from '../integrations/create-integration/route.ts';
import { route as deleteIntegration } from '../integrations/delete-integration/route.ts';
import { route as getIntegration } from '../integrations/get-integration/route.ts';
import { route as listIntegrations } from '../integrations/list-integrations/route.ts';
import { route as patchIntegration } from '../integrations/patch-integration/route.ts';
import { route as replaceIntegration } from '../integrations/replace-integration/route.ts';
import { route as rotateSecret } from '../integrations/rotate-secret/route.ts';
import { route as getContext } from '../reference/get-context/route.ts';
import { route as getDocs } from '../reference/get-docs/route.ts';
import { route as getDocsAsset } from '../reference/get-docs-asset/route.ts';
import { route as getHome } from '../reference/get-home/route.ts';
import { route as getListen } from '../reference/get-listen/route.ts';
import { route as getLlmsTxt } from '../reference/get-llms-txt/route.ts';
import { route as getOpenapi } from '../reference/get-openapi/route.ts';
import { route as getProblem } from '../reference/get-problem/route.ts';
import { route as getReason } from '../reference/get-reason/route.ts';
import { route as listChangeTypes } from '../reference/list-change-types/route.ts';
import { route as listEventTypes } from '../reference/list-event-types/route.ts';
import { route as listProblems } from '../reference/list-problems/route.ts';
import { route as listReasons } from '../reference/list-reasons/route.ts';
import type { Route } from '../runtime/route.ts';
import { route as getSignature } from '../signatures/get-signature/route.ts';
import { route as requestRecovery } from '../test-and-recover/request-recovery/route.ts';
import { route as resendDelivery } from '../test-and-recover/resend-delivery/route.ts';
import { route as retryNow } from '../test-and-recover/retry-now/route.ts';
import { route as testIntegration } from '../test-and-recover/test-integration/route.ts';

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
