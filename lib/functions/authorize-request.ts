import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Environment as AuthorizeRequest } from '../../lambdas/authorize-request/compose.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { directoryPermission } from './directory-permission.ts';
import type { ServiceParts } from './service-parts.ts';

/** The function in front of every route that needs a token. */
export const createAuthorizeRequest = (
  scope: Construct,
  { settings, state, signIn }: ServiceParts,
) =>
  new ServiceFunction<AuthorizeRequest>(scope, 'AuthorizeRequest', {
    name: 'authorize-request',
    description: 'Finds the user whose token a request carries',
    settings,
    timeout: Duration.seconds(10),
    memoryMb: settings.memoryMb.api,
    environment: {
      DIRECTORY_TABLE: state.directory.tableName,
      ...(signIn && {
        SIGN_IN_ISSUER: signIn.issuer,
        SIGN_IN_CLIENT_ID: signIn.clientId,
        SIGN_IN_JWKS_URI: signIn.jwksUri,
      }),
    },
    permissions: [
      directoryPermission(state.directory, ['TOKEN', 'IDENTITY', 'USER'], ['dynamodb:GetItem']),
      // When a token was used.
      directoryPermission(state.directory, ['TOKEN'], ['dynamodb:UpdateItem']),
    ],
  }).lambda;
