import type { Construct } from 'constructs';
import type { Environment as CreateAccessToken } from '../../lambdas/api/access-tokens/create-access-token/compose.ts';
import { route as createAccessToken } from '../../lambdas/api/access-tokens/create-access-token/route.ts';
import type { Environment as ListAccessTokens } from '../../lambdas/api/access-tokens/list-access-tokens/compose.ts';
import { route as listAccessTokens } from '../../lambdas/api/access-tokens/list-access-tokens/route.ts';
import type { Environment as RevokeAccessToken } from '../../lambdas/api/access-tokens/revoke-access-token/compose.ts';
import { route as revokeAccessToken } from '../../lambdas/api/access-tokens/revoke-access-token/route.ts';
import type { Environment as GetAccount } from '../../lambdas/api/accounts/get-account/compose.ts';
import { route as getAccount } from '../../lambdas/api/accounts/get-account/route.ts';
import type { Environment as GetMe } from '../../lambdas/api/accounts/get-me/compose.ts';
import { route as getMe } from '../../lambdas/api/accounts/get-me/route.ts';
import type { Environment as ListAccounts } from '../../lambdas/api/accounts/list-accounts/compose.ts';
import { route as listAccounts } from '../../lambdas/api/accounts/list-accounts/route.ts';
import type { Environment as ListUsers } from '../../lambdas/api/accounts/list-users/compose.ts';
import { route as listUsers } from '../../lambdas/api/accounts/list-users/route.ts';
import type { Environment as GetSignature } from '../../lambdas/api/signatures/get-signature/compose.ts';
import { route as getSignature } from '../../lambdas/api/signatures/get-signature/route.ts';
import { apiFunction } from './api-function.ts';
import { directoryPermission } from './directory-permission.ts';
import type { ServiceParts } from './service-parts.ts';

/** Functions for the routes of accounts, users and access tokens, and of Signatures. */
export const directoryFunctions = (scope: Construct, parts: ServiceParts) => {
  const { directory } = parts.state;
  const environment = { DIRECTORY_TABLE: directory.tableName };
  const may = (kinds: Parameters<typeof directoryPermission>[1], ...actions: readonly string[]) =>
    directoryPermission(directory, kinds, actions);
  return [
    ...apiFunction<GetMe>(scope, parts, {
      name: 'get-me',
      routes: [getMe],
      environment,
      permissions: [may(['ACCOUNT', 'USER'], 'dynamodb:GetItem')],
    }),
    ...apiFunction<ListAccounts>(scope, parts, {
      name: 'list-accounts',
      routes: [listAccounts],
      environment,
      permissions: [may(['ACCOUNT'], 'dynamodb:GetItem', 'dynamodb:Query')],
    }),
    ...apiFunction<GetAccount>(scope, parts, {
      name: 'get-account',
      routes: [getAccount],
      environment,
      permissions: [may(['ACCOUNT'], 'dynamodb:GetItem')],
    }),
    ...apiFunction<ListUsers>(scope, parts, {
      name: 'list-users',
      routes: [listUsers],
      environment,
      permissions: [may(['ACCOUNT'], 'dynamodb:GetItem', 'dynamodb:Query')],
    }),
    ...apiFunction<ListAccessTokens>(scope, parts, {
      name: 'list-access-tokens',
      routes: [listAccessTokens],
      environment,
      permissions: [
        may(['ACCOUNT'], 'dynamodb:Query'),
        may(['TOKEN'], 'dynamodb:BatchGetItem', 'dynamodb:GetItem'),
      ],
    }),
    ...apiFunction<CreateAccessToken>(scope, parts, {
      name: 'create-access-token',
      routes: [createAccessToken],
      environment,
      // UpdateItem revokes the token of a user who is removed meanwhile.
      permissions: [
        may(['ACCOUNT', 'USER'], 'dynamodb:GetItem'),
        may(['ACCOUNT', 'TOKEN'], 'dynamodb:PutItem', 'dynamodb:UpdateItem'),
      ],
    }),
    ...apiFunction<RevokeAccessToken>(scope, parts, {
      name: 'revoke-access-token',
      routes: [revokeAccessToken],
      environment,
      permissions: [
        may(['ACCOUNT'], 'dynamodb:GetItem'),
        may(['ACCOUNT', 'TOKEN'], 'dynamodb:UpdateItem'),
      ],
    }),
    ...apiFunction<GetSignature>(scope, parts, {
      name: 'get-signature',
      routes: [getSignature],
      environment,
      permissions: [may(['USER'], 'dynamodb:Query')],
    }),
  ];
};
