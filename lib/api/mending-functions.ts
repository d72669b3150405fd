import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { route as requestRecovery } from '../../lambdas/request-recovery/route.ts';
import { route as resendDelivery } from '../../lambdas/resend-delivery/route.ts';
import { route as retryNow } from '../../lambdas/retry-now/route.ts';
import { route as testIntegration } from '../../lambdas/test-integration/route.ts';
import { attemptVariables } from '../attempt-variables.ts';
import { retryingPermissions, retryingVariables } from '../retrying.ts';
import type { Surroundings } from '../surroundings.ts';
import { apiFunction } from './api-function.ts';
import { changingPermissions, changingVariables } from './changing.ts';

/** An attempt takes up to 17 seconds; the gateway waits for 29. */
const ATTEMPT_TIMEOUT = Duration.seconds(28);

/** Functions for the routes by which an integrator mends a webhook. */
export const mendingFunctions = (scope: Construct, surroundings: Surroundings) => [
  ...attemptingFunctions(scope, surroundings),
  ...sendingFunctions(scope, surroundings),
];

/** Those that make an attempt while the caller waits. */
const attemptingFunctions = (scope: Construct, surroundings: Surroundings) => {
  const { integrations, deliveryLog } = surroundings.state;
  return [
    ...apiFunction(scope, surroundings, {
      name: 'test-integration',
      routes: [testIntegration],
      timeout: ATTEMPT_TIMEOUT,
      environment: {
        ...attemptVariables(surroundings),
        INTEGRATIONS_TABLE: integrations.tableName,
      },
      permissions: [
        { actions: ['dynamodb:GetItem'], resource: integrations.tableArn },
        {
          actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:BatchWriteItem'],
          resource: deliveryLog.tableArn,
        },
      ],
    }),
    ...apiFunction(scope, surroundings, {
      name: 'retry-now',
      routes: [retryNow],
      timeout: ATTEMPT_TIMEOUT,
      environment: retryingVariables(surroundings),
      permissions: retryingPermissions(surroundings),
    }),
  ];
};

/** Those that have something sent by the functions that always do. */
const sendingFunctions = (scope: Construct, surroundings: Surroundings) => {
  const { state, deliveries } = surroundings;
  const { integrations, deliveryLog } = state;
  return [
    ...apiFunction(scope, surroundings, {
      name: 'resend-delivery',
      routes: [resendDelivery],
      environment: {
        INTEGRATIONS_TABLE: integrations.tableName,
        DELIVERY_LOG_TABLE: deliveryLog.tableName,
        DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      },
      permissions: [
        { actions: ['dynamodb:GetItem'], resource: integrations.tableArn },
        { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resource: deliveryLog.tableArn },
        { actions: ['sqs:SendMessage'], resource: deliveries.queue.queueArn },
      ],
    }),
    ...apiFunction(scope, surroundings, {
      name: 'request-recovery',
      routes: [requestRecovery],
      environment: changingVariables(surroundings),
      permissions: changingPermissions(surroundings, 'dynamodb:UpdateItem'),
    }),
  ];
};
