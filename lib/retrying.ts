import { attemptVariables } from './attempt-variables.ts';
import type { Permission } from './constructs/service-function.ts';
import type { Surroundings } from './surroundings.ts';

/** Of the functions that retry an integration: hourly, and now. */
export const retryingVariables = (surroundings: Surroundings) => ({
  ...attemptVariables(surroundings),
  ...surroundings.schedules.variables,
  STAGE: surroundings.settings.stage,
  INTEGRATIONS_TABLE: surroundings.state.integrations.tableName,
  PENDING_EVENTS_TABLE: surroundings.state.pendingEvents.tableName,
  REPLAY_QUEUE_URL: surroundings.replays.queue.queueUrl,
});

export const retryingPermissions = ({
  state,
  replays,
  schedules,
}: Surroundings): readonly Permission[] => [
  {
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resource: state.integrations.tableArn,
  },
  {
    // Large bodies are items of their own, got by key.
    actions: ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    resource: state.pendingEvents.tableArn,
  },
  {
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    resource: state.deliveryLog.tableArn,
  },
  { actions: ['sqs:SendMessage'], resource: replays.queue.queueArn },
  ...schedules.permissions,
];
