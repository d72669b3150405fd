import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Environment as GetDelivery } from '../../lambdas/api/deliveries/get-delivery/compose.ts';
import { route as getDelivery } from '../../lambdas/api/deliveries/get-delivery/route.ts';
import type { Environment as ListDeliveries } from '../../lambdas/api/deliveries/list-deliveries/compose.ts';
import { route as listDeliveries } from '../../lambdas/api/deliveries/list-deliveries/route.ts';
import type { Environment as ListPendingEvents } from '../../lambdas/api/deliveries/list-pending-events/compose.ts';
import { route as listPendingEvents } from '../../lambdas/api/deliveries/list-pending-events/route.ts';
import { apiFunction } from './api-function.ts';
import type { ServiceParts } from './service-parts.ts';

/** Functions for the routes that show deliveries and pending events. */
export const deliveryFunctions = (scope: Construct, parts: ServiceParts) => {
  const { integrations, deliveryLog, pendingEvents } = parts.state;
  const ofIntegration = { actions: ['dynamodb:GetItem'], resource: integrations.tableArn };
  return [
    ...apiFunction<ListDeliveries>(scope, parts, {
      name: 'list-deliveries',
      routes: [listDeliveries],
      environment: {
        INTEGRATIONS_TABLE: integrations.tableName,
        DELIVERY_LOG_TABLE: deliveryLog.tableName,
      },
      permissions: [ofIntegration, { actions: ['dynamodb:Query'], resource: deliveryLog.tableArn }],
    }),
    ...apiFunction<GetDelivery>(scope, parts, {
      name: 'get-delivery',
      routes: [getDelivery],
      environment: {
        INTEGRATIONS_TABLE: integrations.tableName,
        DELIVERY_LOG_TABLE: deliveryLog.tableName,
        PENDING_EVENTS_TABLE: pendingEvents.tableName,
      },
      permissions: [
        ofIntegration,
        { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resource: deliveryLog.tableArn },
        { actions: ['dynamodb:GetItem'], resource: pendingEvents.tableArn },
      ],
    }),
    ...apiFunction<ListPendingEvents>(scope, parts, {
      name: 'list-pending-events',
      routes: [listPendingEvents],
      environment: {
        INTEGRATIONS_TABLE: integrations.tableName,
        PENDING_EVENTS_TABLE: pendingEvents.tableName,
      },
      // Counting pending events is bounded, but can take longer than the usual timeout.
      timeout: Duration.seconds(25),
      permissions: [
        ofIntegration,
        { actions: ['dynamodb:Query'], resource: pendingEvents.tableArn },
      ],
    }),
  ];
};
