import * as createAccessToken from './access-tokens/create-access-token.ts';
import * as listAccessTokens from './access-tokens/list-access-tokens.ts';
import * as revokeAccessToken from './access-tokens/revoke-access-token.ts';
import * as getAccount from './accounts/get-account.ts';
import * as getMe from './accounts/get-me.ts';
import * as listAccounts from './accounts/list-accounts.ts';
import * as listUsers from './accounts/list-users.ts';
import * as patchAccount from './accounts/patch-account.ts';
import * as listChanges from './activity/list-changes.ts';
import * as createConsoleLink from './console-links/create-console-link.ts';
import * as createConsoleSession from './console-links/create-console-session.ts';
import * as getDelivery from './deliveries/get-delivery.ts';
import * as getStatistics from './deliveries/get-statistics.ts';
import * as listDeliveries from './deliveries/list-deliveries.ts';
import * as listPendingEvents from './deliveries/list-pending-events.ts';
import * as searchDeliveries from './deliveries/search-deliveries.ts';
import * as createIntegration from './integrations/create-integration.ts';
import * as deleteIntegration from './integrations/delete-integration.ts';
import * as getIntegration from './integrations/get-integration.ts';
import * as listIntegrations from './integrations/list-integrations.ts';
import * as patchIntegration from './integrations/patch-integration.ts';
import * as replaceIntegration from './integrations/replace-integration.ts';
import * as rotateSecret from './integrations/rotate-secret.ts';
import * as switchSecret from './integrations/switch-secret.ts';
import {
  getContext,
  getDocs,
  getDocsAsset,
  getHome,
  getListen,
  getLlmsTxt,
  getOpenapi,
  listChangeTypes,
} from './reference/documents.ts';
import { getEventSchema, listEventTypes } from './reference/event-type-documents.ts';
import {
  getGuide,
  getReceiver,
  getReceiverFile,
  listGuides,
  listReceivers,
} from './reference/guides.ts';
import { getProblem, listProblems } from './reference/problem-documents.ts';
import { getReason, listReasons } from './reference/reason-documents.ts';
import * as getSignature from './signatures/get-signature.ts';
import * as setSignature from './signatures/set-signature.ts';
import * as requestRecovery from './test-and-recover/request-recovery.ts';
import * as resendDelivery from './test-and-recover/resend-delivery.ts';
import * as retryNow from './test-and-recover/retry-now.ts';
import * as testIntegration from './test-and-recover/test-integration.ts';

// The routes of each function, which has the permissions that they need. They are not beside the
// function's composition, because `lib/` reads them and imports no adapter.

/** The routes that need a token and change nothing. */
export const READ_ROUTES = [
  listIntegrations,
  getIntegration,
  listDeliveries,
  getDelivery,
  listPendingEvents,
  searchDeliveries,
  getStatistics,
  listChanges,
  getMe,
  listAccounts,
  getAccount,
  listUsers,
  listAccessTokens,
  getSignature,
];

/** The routes that write integrations, their secrets, access tokens, accounts, console links and signatures. */
export const CHANGE_ROUTES = [
  createIntegration,
  replaceIntegration,
  patchIntegration,
  deleteIntegration,
  rotateSecret,
  switchSecret,
  createAccessToken,
  revokeAccessToken,
  patchAccount,
  createConsoleLink,
  createConsoleSession,
  setSignature,
];

/** The routes that send events to an endpoint, while the caller waits or later. */
export const SEND_ROUTES = [testIntegration, retryNow, resendDelivery, requestRecovery];

/** The public routes. Their function uses no table and no queue. */
export const REFERENCE_ROUTES = [
  listEventTypes,
  getEventSchema,
  listChangeTypes,
  listProblems,
  getProblem,
  listReasons,
  getReason,
  listGuides,
  getGuide,
  listReceivers,
  getReceiver,
  getReceiverFile,
  getHome,
  getLlmsTxt,
  getContext,
  getOpenapi,
  getDocs,
  getDocsAsset,
  getListen,
];
