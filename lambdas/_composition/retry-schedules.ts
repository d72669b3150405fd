import { EventBridgeRetrySchedules } from '../../adapters/scheduler/eventbridge-retry-schedules.ts';
import { createSchedulerClient } from '../../adapters/scheduler/scheduler-client.ts';
import type { Parsed, retryScheduleVariables } from '../_runtime/environment.ts';

export const composeRetrySchedules = (environment: Parsed<typeof retryScheduleVariables>) =>
  new EventBridgeRetrySchedules(createSchedulerClient(), {
    group: environment.SCHEDULE_GROUP,
    roleArn: environment.SCHEDULE_ROLE_ARN,
    functionArn: environment.RETRY_FUNCTION_ARN,
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
    now: () => new Date(),
  });
