import type { Construct } from 'constructs';
import type { Environment as CreateIntegration } from '../../lambdas/api/integrations/create-integration/compose.ts';
import { route as createIntegration } from '../../lambdas/api/integrations/create-integration/route.ts';
import type { Environment as DeleteIntegration } from '../../lambdas/api/integrations/delete-integration/compose.ts';
import { route as deleteIntegration } from '../../lambdas/api/integrations/delete-integration/route.ts';
import type { Environment as GetIntegration } from '../../lambdas/api/integrations/get-integration/compose.ts';
import { route as getIntegration } from '../../lambdas/api/integrations/get-integration/route.ts';
import type { Environment as ListIntegrations } from '../../lambdas/api/integrations/list-integrations/compose.ts';
import { route as listIntegrations } from '../../lambdas/api/integrations/list-integrations/route.ts';
import type { Environment as PatchIntegration } from '../../lambdas/api/integrations/patch-integration/compose.ts';
import { route as patchIntegration } from '../../lambdas/api/integrations/patch-integration/route.ts';
import type { Environment as ReplaceIntegration } from '../../lambdas/api/integrations/replace-integration/compose.ts';
import { route as replaceIntegration } from '../../lambdas/api/integrations/replace-integration/route.ts';
import type { Environment as RotateSecret } from '../../lambdas/api/integrations/rotate-secret/compose.ts';
import { route as rotateSecret } from '../../lambdas/api/integrations/rotate-secret/route.ts';
import { apiFunction } from './api-function.ts';
import { directoryPermission } from './directory-permission.ts';
import { changingPermissions, guardEnvironment, troubleEnvironment } from './environments.ts';
import { keyPermission, sealingEnvironment, sealingPermissions } from './secret-permissions.ts';
import type { ServiceParts } from './service-parts.ts';

/** Functions for the routes that manage integrations. */
export const integrationFunctions = (scope: Construct, parts: ServiceParts) => {
  const { directory, integrations } = parts.state;
  const environment = { INTEGRATIONS_TABLE: integrations.tableName };
  return [
    ...apiFunction<CreateIntegration>(scope, parts, {
      name: 'create-integration',
      routes: [createIntegration],
      environment: {
        ...environment,
        ...guardEnvironment(parts),
        ...sealingEnvironment(parts),
        DIRECTORY_TABLE: directory.tableName,
        INTEGRATIONS_PER_ACCOUNT: `${parts.settings.integrationsPerAccount}`,
      },
      permissions: [
        {
          actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
          resource: integrations.tableArn,
        },
        // The table of the directory also has the idempotency records.
        directoryPermission(
          directory,
          ['ACCOUNT'],
          ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
        ),
        ...sealingPermissions(parts),
        // A repeated creation is answered with the secret that the service made, for 24 hours.
        keyPermission(parts, 'idempotency', ['kms:Encrypt', 'kms:Decrypt']),
      ],
    }),
    ...apiFunction<ListIntegrations>(scope, parts, {
      name: 'list-integrations',
      routes: [listIntegrations],
      environment,
      permissions: [{ actions: ['dynamodb:Query'], resource: integrations.tableArn }],
    }),
    ...apiFunction<GetIntegration>(scope, parts, {
      name: 'get-integration',
      routes: [getIntegration],
      environment,
      permissions: [{ actions: ['dynamodb:GetItem'], resource: integrations.tableArn }],
    }),
    ...writingFunctions(scope, parts),
  ];
};

const writingFunctions = (scope: Construct, parts: ServiceParts) => {
  const { directory } = parts.state;
  const environment = troubleEnvironment(parts);
  const writing = { ...environment, ...sealingEnvironment(parts) };
  const guardedWriting = { ...writing, ...guardEnvironment(parts) };
  const permissions = [
    ...changingPermissions(parts, 'dynamodb:UpdateItem'),
    ...sealingPermissions(parts),
  ];
  return [
    ...apiFunction<ReplaceIntegration>(scope, parts, {
      name: 'replace-integration',
      routes: [replaceIntegration],
      environment: guardedWriting,
      permissions,
    }),
    ...apiFunction<PatchIntegration>(scope, parts, {
      name: 'patch-integration',
      routes: [patchIntegration],
      environment: guardedWriting,
      permissions,
    }),
    ...apiFunction<RotateSecret>(scope, parts, {
      name: 'rotate-secret',
      routes: [rotateSecret],
      environment: writing,
      permissions,
    }),
    ...apiFunction<DeleteIntegration>(scope, parts, {
      name: 'delete-integration',
      routes: [deleteIntegration],
      environment: { ...environment, DIRECTORY_TABLE: directory.tableName },
      permissions: [
        ...changingPermissions(parts, 'dynamodb:DeleteItem'),
        // The integration's idempotency record goes with the integration.
        directoryPermission(directory, ['ACCOUNT'], ['dynamodb:UpdateItem', 'dynamodb:DeleteItem']),
      ],
    }),
  ];
};
