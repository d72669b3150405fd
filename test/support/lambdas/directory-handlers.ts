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
import { createHandler as creatingAccessToken } from '../../../lambdas/api/access-tokens/create-access-token/handler.ts';
import { createHandler as listingAccessTokens } from '../../../lambdas/api/access-tokens/list-access-tokens/handler.ts';
import { createHandler as revokingAccessToken } from '../../../lambdas/api/access-tokens/revoke-access-token/handler.ts';
import { createHandler as gettingAccount } from '../../../lambdas/api/accounts/get-account/handler.ts';
import { createHandler as gettingMe } from '../../../lambdas/api/accounts/get-me/handler.ts';
import { createHandler as listingAccounts } from '../../../lambdas/api/accounts/list-accounts/handler.ts';
import { createHandler as listingUsers } from '../../../lambdas/api/accounts/list-users/handler.ts';
import { createHandler as gettingSignature } from '../../../lambdas/api/signatures/get-signature/handler.ts';
import type { inMemoryDirectory } from '../directory/in-memory-directory.ts';
import type { InMemoryUserSignatures } from '../directory/in-memory-user-signatures.ts';
import type { RecordingLogger } from './recording-logger.ts';

interface DirectoryParts {
  readonly directory: ReturnType<typeof inMemoryDirectory>;
  readonly signatures: InMemoryUserSignatures;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Buffer;
}

/** The functions of accounts, users, access tokens and Signatures, by operation. */
export const directoryHandlers = (
  { directory, signatures, now, randomBytes }: DirectoryParts,
  { logger }: { readonly logger: RecordingLogger },
) => ({
  getMe: () => gettingMe({ getMe: buildGetMe(directory), logger }),
  listAccounts: () => listingAccounts({ accountsPage: buildAccountsPage(directory), logger }),
  getAccount: () => gettingAccount({ getAccount: buildGetAccount(directory), logger }),
  listUsers: () => listingUsers({ usersPage: buildUsersPage(directory), logger }),
  listAccessTokens: () =>
    listingAccessTokens({ listAccessTokens: buildListAccessTokens(directory), logger }),
  createAccessToken: () =>
    creatingAccessToken({
      createAccessToken: buildCreateAccessToken({ ...directory, now, randomBytes }),
      logger,
    }),
  revokeAccessToken: () =>
    revokingAccessToken({
      revokeAccessToken: buildRevokeAccessToken({ ...directory, now }),
      logger,
    }),
  getSignature: () => gettingSignature({ getSignature: buildGetSignature({ signatures }), logger }),
});
