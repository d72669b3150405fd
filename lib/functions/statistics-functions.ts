import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Environment as GetStatistics } from '../../lambdas/api/deliveries/get-statistics/compose.ts';
import { route as getStatistics } from '../../lambdas/api/deliveries/get-statistics/route.ts';
import type { Environment as CountAttempts } from '../../lambdas/deliver/count-attempts/compose.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { contract } from '../contract.ts';
import { apiFunction } from './api-function.ts';
import type { ServiceParts } from './service-parts.ts';

/** The function that makes statistics of the delivery log's changes. */
export const createCountAttempts = (
  scope: Construct,
  { settings, state, logStream }: ServiceParts,
): LambdaFunction =>
  new ServiceFunction<CountAttempts>(scope, 'CountAttempts', {
    name: 'count-attempts',
    description: 'Adds up the attempts of each integration and hour',
    settings,
    timeout: Duration.millis(contract.countTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    environment: {
      STATISTICS_TABLE: state.statistics.tableName,
      LOG_STREAM_DEAD_LETTER_QUEUE_URL: logStream.deadLetterQueue.queueUrl,
    },
    permissions: [
      {
        // GetItem finds out how much of a batch that comes again is counted.
        actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        resource: state.statistics.tableArn,
      },
      { actions: ['sqs:SendMessage'], resource: logStream.deadLetterQueue.queueArn },
    ],
  }).lambda;

/** The function for the route that shows statistics. */
export const statisticsFunctions = (scope: Construct, parts: ServiceParts) => {
  const { integrations, pendingEvents, statistics } = parts.state;
  return apiFunction<GetStatistics>(scope, parts, {
    name: 'get-statistics',
    routes: [getStatistics],
    environment: {
      INTEGRATIONS_TABLE: integrations.tableName,
      PENDING_EVENTS_TABLE: pendingEvents.tableName,
      STATISTICS_TABLE: statistics.tableName,
    },
    permissions: [
      { actions: ['dynamodb:GetItem'], resource: integrations.tableArn },
      { actions: ['dynamodb:Query'], resource: pendingEvents.tableArn },
      { actions: ['dynamodb:Query'], resource: statistics.tableArn },
    ],
  });
};
