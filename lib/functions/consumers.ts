import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as DeliverSlowly from '../../lambdas/consumers/deliver-slowly/compose.ts';
import type * as DeliverWebhook from '../../lambdas/consumers/deliver-webhook/compose.ts';
import type * as RetryHourly from '../../lambdas/consumers/retry-hourly/compose.ts';
import type * as RouteEvent from '../../lambdas/consumers/route-event/compose.ts';
import type * as RunReplay from '../../lambdas/consumers/run-replay/compose.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { backoffIn, limits } from '../limits.ts';
import { makeAttempts, retryIntegrations } from './capabilities.ts';
import { directoryPermission, filteredCountsPermission, onTable, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

export const createRouteEvent = (
  scope: Construct,
  { settings, state, events, deliveries, slowLane }: ServiceParts,
): LambdaFunction =>
  new ServiceFunction<typeof RouteEvent>(scope, 'RouteEvent', {
    name: 'route-event',
    description: 'Queues each event for the integrations that subscribe to its type',
    settings,
    timeout: Duration.millis(limits.routeTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    environment: {
      STAGE: settings.stage,
      INTEGRATIONS_TABLE: state.integrations.tableName,
      DIRECTORY_TABLE: state.directory.tableName,
      STATISTICS_TABLE: state.statistics.tableName,
      DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      SLOW_LANE_QUEUE_URL: slowLane.queue.queueUrl,
      EVENTS_QUEUE_URL: events.queue.queueUrl,
      EVENTS_DEAD_LETTER_QUEUE_URL: events.deadLetterQueue.queueUrl,
    },
    permissions: [
      onTable(state.integrations, 'PartiQLSelect', 'Query'),
      directoryPermission({ state }, ['ACCOUNT'], 'GetItem'),
      filteredCountsPermission({ state }),
      toQueue(deliveries.queue),
      toQueue(slowLane.queue),
      toQueue(events.deadLetterQueue),
    ],
  }).lambda;

export const createDeliverWebhook = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const { environment, permissions, ...props } = delivering(parts);
  const { deadLetterQueue, queue } = parts.deliveries;
  return new ServiceFunction<typeof DeliverWebhook>(scope, 'DeliverWebhook', {
    ...props,
    name: 'deliver-webhook',
    description: 'POSTs each delivery to its endpoint, and acts on the outcome',
    environment: {
      ...environment,
      DELIVERIES_QUEUE_URL: queue.queueUrl,
      DELIVERIES_DEAD_LETTER_QUEUE_URL: deadLetterQueue.queueUrl,
    },
    permissions: [...permissions, toQueue(deadLetterQueue)],
  }).lambda;
};

export const createDeliverSlowly = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const { environment, permissions, ...props } = delivering(parts);
  const { deadLetterQueue } = parts.slowLane;
  return new ServiceFunction<typeof DeliverSlowly>(scope, 'DeliverSlowly', {
    ...props,
    name: 'deliver-slowly',
    description: 'Does what deliver-webhook does, for the integrations whose endpoints are slow',
    memoryMb: parts.settings.memoryMb.slow,
    environment: {
      ...environment,
      SLOW_LANE_DEAD_LETTER_QUEUE_URL: deadLetterQueue.queueUrl,
    },
    permissions: [...permissions, toQueue(deadLetterQueue)],
  }).lambda;
};

/** What the functions of both lanes share. */
const delivering = (parts: ServiceParts) => {
  const { settings, slowLane, state } = parts;
  const attempts = makeAttempts(parts);
  const backoff = backoffIn(settings);
  return {
    settings,
    timeout: Duration.millis(limits.deliverTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    // A 2xx that ends a trouble requests a replay, which queues deliveries again. The loop ends,
    // because each round delivers an event: there are fewer rounds than pending events. A delivery
    // goes to the slow lane once.
    isInLoop: true,
    environment: {
      ...attempts.environment,
      SLOW_LANE_QUEUE_URL: slowLane.queue.queueUrl,
      BACKOFF_FIRST_DELAY_MS: `${backoff.firstDelayMs}`,
      BACKOFF_MAX_DELAY_MS: `${backoff.maxDelayMs}`,
      BUSY_AFTER: `${limits.busyAfter}`,
      BACKOFF_SLOTS: `${limits.backoffSlots}`,
      PROBES: `${limits.probes}`,
      ATTEMPT_LINES: settings.attemptLines,
    },
    permissions: [
      ...attempts.permissions,
      onTable(state.integrations, 'BatchGetItem', 'GetItem', 'UpdateItem'),
      // GetItem and UpdateItem take backoff slots.
      onTable(
        state.pendingEvents,
        'GetItem',
        'PutItem',
        'PartiQLInsert',
        'UpdateItem',
        'DeleteItem',
      ),
      onTable(state.deliveryLog, 'BatchGetItem'),
      toQueue(slowLane.queue),
    ],
  };
};

export const createRetryHourly = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const { settings, retries } = parts;
  const retrying = retryIntegrations(parts);
  return new ServiceFunction<typeof RetryHourly>(scope, 'RetryHourly', {
    name: 'retry-hourly',
    description:
      'Retries a failed or busy integration with up to three of its pending events, every hour',
    settings,
    timeout: Duration.millis(limits.retryTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    environment: {
      ...retrying.environment,
      RETRY_QUEUE_URL: retries.queue.queueUrl,
      RETRY_DEAD_LETTER_QUEUE_URL: retries.deadLetterQueue.queueUrl,
    },
    permissions: [
      ...retrying.permissions,
      ...parts.schedules.movePermissions,
      toQueue(retries.deadLetterQueue),
    ],
  }).lambda;
};

export const createRunReplay = (
  scope: Construct,
  { settings, state, deliveries, slowLane, replays }: ServiceParts,
): LambdaFunction =>
  new ServiceFunction<typeof RunReplay>(scope, 'RunReplay', {
    name: 'run-replay',
    description: 'Puts the pending events of an integration back on the deliveries queue',
    settings,
    timeout: Duration.millis(limits.replayTimeoutMs),
    memoryMb: settings.memoryMb.replay,
    // A run that is out of time requests another run, which begins where the first stopped. A replay's
    // deliveries can cause another replay, see `delivering`.
    isInLoop: true,
    environment: {
      STAGE: settings.stage,
      INTEGRATIONS_TABLE: state.integrations.tableName,
      PENDING_EVENTS_TABLE: state.pendingEvents.tableName,
      DELIVERY_LOG_TABLE: state.deliveryLog.tableName,
      DELIVERY_LOG_DEADLINE_MS: `${settings.deliveryLogDeadlineMs}`,
      DELIVERIES_QUEUE_URL: deliveries.queue.queueUrl,
      SLOW_LANE_QUEUE_URL: slowLane.queue.queueUrl,
      RETRY_INTERVAL_MS: `${settings.retryIntervalMs}`,
      REPLAY_QUEUE_URL: replays.queue.queueUrl,
      REPLAY_DEAD_LETTER_QUEUE_URL: replays.deadLetterQueue.queueUrl,
    },
    permissions: [
      // UpdateItem notes that the endpoint confirms others.
      onTable(state.integrations, 'GetItem', 'UpdateItem'),
      onTable(state.pendingEvents, 'Query', 'DeleteItem', 'PartiQLDelete', 'BatchWriteItem'),
      // A replay reads how its latest step went, a recovery which deliveries did not arrive.
      onTable(state.deliveryLog, 'BatchGetItem', 'Query', 'GetItem'),
      toQueue(deliveries.queue),
      toQueue(slowLane.queue),
      toQueue(replays.queue),
      toQueue(replays.deadLetterQueue),
    ],
  }).lambda;
