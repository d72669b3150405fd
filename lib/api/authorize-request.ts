import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/service-function.ts';
import type { Surroundings } from '../surroundings.ts';

/** The one function in front of all that need a token. */
export const createAuthorizeRequest = (scope: Construct, { settings, state }: Surroundings) =>
  new ServiceFunction(scope, 'AuthorizeRequest', {
    name: 'authorize-request',
    description: 'Finds whose access token a request carries',
    settings,
    timeout: Duration.seconds(10),
    memoryMb: settings.memoryMb.api,
    environment: { DIRECTORY_TABLE: state.directory.tableName },
    permissions: [{ actions: ['dynamodb:GetItem'], resource: state.directory.tableArn }],
  }).lambda;
