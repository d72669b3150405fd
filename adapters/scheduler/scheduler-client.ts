import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { AWS_REQUEST_LIMITS } from '../request-limits.ts';

export const createSchedulerClient = (): SchedulerClient => new SchedulerClient(AWS_REQUEST_LIMITS);
