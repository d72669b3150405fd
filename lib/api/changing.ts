import type { Permission } from '../constructs/service-function.ts';
import type { Surroundings } from '../surroundings.ts';

/** Of what changes an integration, and with it its schedules and pending events. */
export const changingVariables = ({ state, replays, schedules }: Surroundings) => ({
  ...schedules.variables,
  INTEGRATIONS_TABLE: state.integrations.tableName,
  REPLAY_QUEUE_URL: replays.queue.queueUrl,
});

export const changingPermissions = (
  { state, replays, schedules }: Surroundings,
  write: 'dynamodb:PutItem' | 'dynamodb:UpdateItem' | 'dynamodb:DeleteItem',
): readonly Permission[] => [
  { actions: ['dynamodb:GetItem', write], resource: state.integrations.tableArn },
  { actions: ['sqs:SendMessage'], resource: replays.queue.queueArn },
  ...schedules.permissions,
];
