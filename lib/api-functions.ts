import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Permission, ServiceFunction } from './constructs/service-function.ts';
import type { Surroundings } from './surroundings.ts';

export const createAuthorizeRequest = (scope: Construct, surroundings: Surroundings) => {
  const { directory } = surroundings.state;
  return new ServiceFunction(scope, 'AuthorizeRequest', {
    ...shared(surroundings),
    name: 'authorize-request',
    description: 'Finds whose access token a request carries',
    environment: { DIRECTORY_TABLE: directory.tableName },
    permissions: [{ actions: ['dynamodb:GetItem'], resource: directory.tableArn }],
  }).lambda;
};

export const createCreateIntegration = (scope: Construct, surroundings: Surroundings) => {
  const { directory, integrations } = surroundings.state;
  return new ServiceFunction(scope, 'CreateIntegration', {
    ...shared(surroundings),
    name: 'create-integration',
    description: 'POST /{account_name}/integrations',
    environment: {
      DIRECTORY_TABLE: directory.tableName,
      INTEGRATIONS_TABLE: integrations.tableName,
      ALLOW_LOOPBACK: `${surroundings.settings.allowLoopback}`,
    },
    permissions: [
      { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: integrations.tableArn },
      // Idempotency records.
      { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: directory.tableArn },
    ],
  }).lambda;
};

export const createGetIntegration = (scope: Construct, surroundings: Surroundings) => {
  const { integrations } = surroundings.state;
  return new ServiceFunction(scope, 'GetIntegration', {
    ...shared(surroundings),
    name: 'get-integration',
    description: 'GET /integrations/{id}',
    environment: { INTEGRATIONS_TABLE: integrations.tableName },
    permissions: [{ actions: ['dynamodb:GetItem'], resource: integrations.tableArn }],
  }).lambda;
};

export const createReplaceIntegration = (scope: Construct, surroundings: Surroundings) =>
  new ServiceFunction(scope, 'ReplaceIntegration', {
    ...shared(surroundings),
    name: 'replace-integration',
    description: 'PUT /integrations/{id}',
    environment: {
      ...changingVariables(surroundings),
      ALLOW_LOOPBACK: `${surroundings.settings.allowLoopback}`,
    },
    permissions: changingPermissions(surroundings, 'dynamodb:PutItem'),
  }).lambda;

export const createPatchIntegration = (scope: Construct, surroundings: Surroundings) =>
  new ServiceFunction(scope, 'PatchIntegration', {
    ...shared(surroundings),
    name: 'patch-integration',
    description: 'PATCH /integrations/{id}',
    environment: {
      ...changingVariables(surroundings),
      ALLOW_LOOPBACK: `${surroundings.settings.allowLoopback}`,
    },
    permissions: changingPermissions(surroundings, 'dynamodb:PutItem'),
  }).lambda;

export const createDeleteIntegration = (scope: Construct, surroundings: Surroundings) =>
  new ServiceFunction(scope, 'DeleteIntegration', {
    ...shared(surroundings),
    name: 'delete-integration',
    description: 'DELETE /integrations/{id}',
    environment: changingVariables(surroundings),
    permissions: changingPermissions(surroundings, 'dynamodb:DeleteItem'),
  }).lambda;

export const createGetSignature = (scope: Construct, surroundings: Surroundings) => {
  const { directory } = surroundings.state;
  return new ServiceFunction(scope, 'GetSignature', {
    ...shared(surroundings),
    name: 'get-signature',
    description: 'GET /users/{user}/signature',
    environment: { DIRECTORY_TABLE: directory.tableName },
    permissions: [{ actions: ['dynamodb:Query'], resource: directory.tableArn }],
  }).lambda;
};

const shared = ({ settings }: Surroundings) => ({
  settings,
  timeout: Duration.seconds(10),
  memoryMb: settings.memoryMb.api,
});

/** Of what changes an integration, and with it its schedules and pending events. */
const changingVariables = ({ state, replays, schedules }: Surroundings) => ({
  ...schedules.variables,
  INTEGRATIONS_TABLE: state.integrations.tableName,
  REPLAY_QUEUE_URL: replays.queue.queueUrl,
});

const changingPermissions = (
  { state, replays, schedules }: Surroundings,
  write: 'dynamodb:PutItem' | 'dynamodb:DeleteItem',
): readonly Permission[] => [
  { actions: ['dynamodb:GetItem', write], resource: state.integrations.tableArn },
  { actions: ['sqs:SendMessage'], resource: replays.queue.queueArn },
  ...schedules.permissions,
];
