import type { Route } from '../_runtime/route.ts';
import { route as createAccessToken } from '../create-access-token/route.ts';
import { route as createIntegration } from '../create-integration/route.ts';
import { route as deleteIntegration } from '../delete-integration/route.ts';
import { route as getAccount } from '../get-account/route.ts';
import { route as getContext } from '../get-context/route.ts';
import { route as getDelivery } from '../get-delivery/route.ts';
import { route as getDocs, assetRoute as getDocsAsset } from '../get-docs/route.ts';
import { route as getHome } from '../get-home/route.ts';
import { route as getIntegration } from '../get-integration/route.ts';
import { route as getMe } from '../get-me/route.ts';
import { route as getOpenapi } from '../get-openapi/route.ts';
import { route as getSignature } from '../get-signature/route.ts';
import { route as listAccessTokens } from '../list-access-tokens/route.ts';
import { route as listAccounts } from '../list-accounts/route.ts';
import { route as listDeliveries } from '../list-deliveries/route.ts';
import { route as listEventTypes } from '../list-event-types/route.ts';
import { route as listIntegrations } from '../list-integrations/route.ts';
import { route as listPendingEvents } from '../list-pending-events/route.ts';
import { route as listUsers } from '../list-users/route.ts';
import { route as patchIntegration } from '../patch-integration/route.ts';
import { route as replaceIntegration } from '../replace-integration/route.ts';
import { route as requestRecovery } from '../request-recovery/route.ts';
import { route as resendDelivery } from '../resend-delivery/route.ts';
import { route as retryNow } from '../retry-now/route.ts';
import { route as revokeAccessToken } from '../revoke-access-token/route.ts';
import { route as rotateSecret } from '../rotate-secret/route.ts';
import { route as testIntegration } from '../test-integration/route.ts';

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
  testIntegration,
  retryNow,
  resendDelivery,
  requestRecovery,
  getMe,
  listAccounts,
  getAccount,
  listUsers,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
  getSignature,
  listEventTypes,
  getHome,
  getContext,
  getOpenapi,
  getDocs,
  getDocsAsset,
];
