import { readFileSync } from 'node:fs';
import { buildListChanges } from '../../../core/changes/list-changes.ts';
import { buildDeliveriesApi } from '../../../core/delivery/api/deliveries-api.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildPatchAccount } from '../../../core/directory/change-account.ts';
import { buildGetMe } from '../../../core/directory/get-me.ts';
import { buildGetSignature } from '../../../core/directory/get-signature.ts';
import {
  buildCreateAccessToken,
  buildListAccessTokens,
  buildRevokeAccessToken,
} from '../../../core/directory/manage-access-tokens.ts';
import { buildCreateConsoleLink, buildOpenConsole } from '../../../core/directory/open-console.ts';
import {
  buildAccountsPage,
  buildGetAccount,
  buildUsersPage,
} from '../../../core/directory/read-accounts.ts';
import { buildSetSignature } from '../../../core/directory/set-signature.ts';
import { buildIntegrationsApi } from '../../../core/integration/integrations-api.ts';
import { openApiTexts } from '../../../lambdas/api/openapi/below-base-path.ts';
import { docsAssets } from '../../../lambdas/api/reference/docs-assets.ts';
import { guidesIn } from '../../../lambdas/api/reference/guides.ts';
import {
  CHANGE_ROUTES,
  READ_ROUTES,
  REFERENCE_ROUTES,
  SEND_ROUTES,
} from '../../../lambdas/api/routes.ts';
import { type ApiHandler, dispatch } from '../../../lambdas/api/runtime/api-entry.ts';
import { renderGuides } from '../../../lib/constructs/guides.ts';
import { InMemoryPendingView } from '../delivery/pending/in-memory-pending-view.ts';
import { testAndRecoverOf } from '../delivery/recovery/test-and-recover-parts.ts';
import type { ApiParts, Observation } from './api-parts.ts';
import { openApiDocument } from './openapi.ts';

const openApiText = openApiTexts(openApiDocument);

const LISTEN = readFileSync('lambdas/api/reference/listen.mjs', 'utf8');

const assets = docsAssets({ styles: '', script: '', licenses: '' });

/** Rendered once for all tests. */
const guides = guidesIn(() => JSON.stringify(renderGuides()));

/** May create links to the console, and set signatures. */
const PLATFORM_ROLE = 'arn:aws:iam::444455556666:role/teams/platform';

/** One function that serves every route. */
export const handlerOverMemory = (parts: ApiParts, observation: Observation): ApiHandler =>
  dispatch([...READ_ROUTES, ...CHANGE_ROUTES, ...SEND_ROUTES, ...REFERENCE_ROUTES], {
    ...integrationsOf(parts),
    ...deliveriesOf(parts),
    ...directoryOf(parts),
    ...observation,
    budget: parts.budget,
    now: parts.now,
    mailEnabled: true,
    consoleLinkRoles: [PLATFORM_ROLE],
    console: new URL('https://console.example.com'),
    openApiText,
    assets,
    guides,
    program: LISTEN,
    version: '1.2.3',
  });

const integrationsOf = (parts: ApiParts) =>
  buildIntegrationsApi({
    ...parts,
    settingsChange: buildSettingsChange(parts),
    pause: async () => {},
  });

const deliveriesOf = (parts: ApiParts) => ({
  ...testAndRecoverOf(parts),
  ...buildDeliveriesApi({
    ...parts,
    pending: new InMemoryPendingView(parts.pendingEvents, parts.setAsideEvents),
  }),
  listChanges: buildListChanges({ ...parts.directory, changes: parts.changes }),
});

const directoryOf = ({ directory, ...parts }: ApiParts) => ({
  getMe: buildGetMe(directory),
  accountsPage: buildAccountsPage(directory),
  getAccount: buildGetAccount(directory),
  patchAccount: buildPatchAccount(directory),
  usersPage: buildUsersPage(directory),
  listAccessTokens: buildListAccessTokens(directory),
  createAccessToken: buildCreateAccessToken({ ...directory, ...parts }),
  createConsoleLink: buildCreateConsoleLink({
    ...directory,
    ...parts,
    consoleOrigin: 'https://console.example.com',
  }),
  openConsole: buildOpenConsole({ ...directory, ...parts }),
  revokeAccessToken: buildRevokeAccessToken({ ...directory, now: parts.now }),
  getSignature: buildGetSignature(directory),
  setSignature: buildSetSignature(directory),
});
