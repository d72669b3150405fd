import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Environment as RequestRecovery } from '../../lambdas/api/test-and-recover/request-recovery/compose.ts';
import { route as requestRecovery } from '../../lambdas/api/test-and-recover/request-recovery/route.ts';
import type { Environment as ResendDelivery } from '../../lambdas/api/test-and-recover/resend-delivery/compose.ts';
import { route as resendDelivery } from '../../lambdas/api/test-and-recover/resend-delivery/route.ts';
import type { Environment as RetryNow } from '../../lambdas/api/test-and-recover/retry-now/compose.ts';
import { route as retryNow } from '../../lambdas/api/test-and-recover/retry-now/route.ts';
import type { Environment as TestIntegration } from '../../lambdas/api/test-and-recover/test-integration/compose.ts';
import { route as testIntegration } from '../../lambdas/api/test-and-recover/test-integration/route.ts';
import { apiFunction } from './api-function.ts';
import {
  attemptEnvironment,
  recoveringPermissions,
  retryEnvironment,
  retryPermissions,
  troubleEnvironment,
} from './environments.ts';
import { openingPermissions } from './secret-permissions.ts';
import type { ServiceParts } from './service-parts.ts';

/** A test takes up to 17 s, and a retry 25 s; the gateway waits 29 s for a function. */
const ATTEMPT_TIMEOUT = Duration.seconds(28);

/** Functions for the routes of "Test and recover": test, retry, resend and recover. */
export const testAndRecoverFunctions = (scope: Construct, parts: ServiceParts) => [
  ...attemptingFunctions(scope, parts),
  ...sendingFunctions(scope, parts),
];

/** Test and retry: the function makes an attempt while the caller waits. */
const attemptingFunctions = (scope: Construct, parts: ServiceParts) => {
  const { integrations, deliveryLog } = parts.state;
  return [
    ...apiFunction<TestIntegration>(scope, parts, {
      name: 'test-integration',
      routes: [testIntegration],
      timeout: ATTEMPT_TIMEOUT,
      environment: {
        ...attemptEnvironment(parts),
        INTEGRATIONS_TABLE: integrations.tableName,
      },
      permissions: [
        ...openingPermissions(parts),
        { actions: ['dynamodb:GetItem'], resource: integrations.tableArn },
        {
          // PutItem writes what a batch left undone.
          actions: ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
          resource: deliveryLog.tableArn,
        },
      ],
    }),
    ...apiFunction<RetryNow>(scope, parts, {
      name: 'retry-now',
      routes: [retryNow],
      timeout: ATTEMPT_TIMEOUT,
      environment: retryEnvironment(parts),
      permissions: retryPermissions(parts),
    }),
  ];
};

/** Resend and recover: `deliver-webhook` makes the attempts later. */
const sendingFunctions = (scope: Construct, parts: ServiceParts) => {
  const { state, deliveries } = parts;
  const { integrations, deliveryLog } = state;
  return [
    ...apiFunction<ResendDelivery>(scope, parts, {
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
    ...apiFunction<RequestRecovery>(scope, parts, {
      name: 'request-recovery',
      routes: [requestRecovery],
      environment: troubleEnvironment(parts),
      permissions: recoveringPermissions(parts, 'dynamodb:UpdateItem'),
    }),
  ];
};
