import { randomUUID } from 'node:crypto';
import type { Schedule } from './schedules.ts';

/** The target's input with Scheduler's context attributes put in. */
export const scheduleInput = ({ arn, definition }: Schedule, scheduledAt: number): string =>
  (definition.Target.Input ?? '{}')
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', new Date(scheduledAt).toISOString())
    .replaceAll('<aws.scheduler.execution-id>', randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
