import type { Construct } from 'constructs';
import { route as createIntegration } from '../../lambdas/create-integration/route.ts';
import { route as deleteIntegration } from '../../lambdas/delete-integration/route.ts';
import { route as getIntegration } from '../../lambdas/get-integration/route.ts';
import { route as getSignature } from '../../lambdas/get-signature/route.ts';
import { route as listIntegrations } from '../../lambdas/list-integrations/route.ts';
import { route as patchIntegration } from '../../lambdas/patch-integration/route.ts';
import { route as replaceIntegration } from '../../lambdas/replace-integration/route.ts';
import { route as rotateSecret } from '../../lambdas/rotate-secret/route.ts';
import type { Surroundings } from '../surroundings.ts';
import { apiFunction } from './api-function.ts';
import { changingPermissions, changingVariables } from './changing.ts';

/** Functions for the routes that manage integrations, and read signatures. */
export const integrationFunctions = (scope: Construct, surroundings: Surroundings) => {
  const { directory, integrations } = surroundings.state;
  const ofIntegrations = { INTEGRATIONS_TABLE: integrations.tableName };
  const guarded = { ALLOW_LOOPBACK: `${surroundings.settings.allowLoopback}` as const };
  return [
    ...apiFunction(scope, surroundings, {
      name: 'create-integration',
      routes: [createIntegration],
      environment: { ...ofIntegrations, ...guarded, DIRECTORY_TABLE: directory.tableName },
      permissions: [
        { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: integrations.tableArn },
        // Idempotency records.
        { actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resource: directory.tableArn },
      ],
    }),
    ...apiFunction(scope, surroundings, {
      name: 'list-integrations',
      routes: [listIntegrations],
      environment: ofIntegrations,
      permissions: [{ actions: ['dynamodb:Query'], resource: integrations.tableArn }],
    }),
    ...apiFunction(scope, surroundings, {
      name: 'get-integration',
      routes: [getIntegration],
      environment: ofIntegrations,
      permissions: [{ actions: ['dynamodb:GetItem'], resource: integrations.tableArn }],
    }),
    ...writingFunctions(scope, surroundings),
    ...apiFunction(scope, surroundings, {
      name: 'get-signature',
      routes: [getSignature],
      environment: { DIRECTORY_TABLE: directory.tableName },
      permissions: [{ actions: ['dynamodb:Query'], resource: directory.tableArn }],
    }),
  ];
};

const writingFunctions = (scope: Construct, surroundings: Surroundings) => {
  const environment = changingVariables(surroundings);
  const guarded = { ALLOW_LOOPBACK: `${surroundings.settings.allowLoopback}` as const };
  const permissions = changingPermissions(surroundings, 'dynamodb:PutItem');
  return [
    ...apiFunction(scope, surroundings, {
      name: 'replace-integration',
      routes: [replaceIntegration],
      environment: { ...environment, ...guarded },
      permissions,
    }),
    ...apiFunction(scope, surroundings, {
      name: 'patch-integration',
      routes: [patchIntegration],
      environment: { ...environment, ...guarded },
      permissions,
    }),
    ...apiFunction(scope, surroundings, {
      name: 'rotate-secret',
      routes: [rotateSecret],
      environment,
      permissions,
    }),
    ...apiFunction(scope, surroundings, {
      name: 'delete-integration',
      routes: [deleteIntegration],
      environment,
      permissions: changingPermissions(surroundings, 'dynamodb:DeleteItem'),
    }),
  ];
};
