import type { SignIn, StageSettings } from '../config.ts';
import type { RetryScheduleGroup } from '../constructs/retry-schedule-group.ts';
import type { WorkQueue } from '../constructs/work-queue.ts';
import type { StateStack } from '../state-stack.ts';

/** What the functions of a service stack share: settings, tables, queues and schedules. */
export interface ServiceParts {
  readonly settings: StageSettings;
  readonly state: StateStack;
  readonly events: WorkQueue;
  readonly deliveries: WorkQueue;
  /** The deliveries of integrations whose endpoints are slow. */
  readonly slowLane: WorkQueue;
  readonly replays: WorkQueue;
  readonly retries: WorkQueue;
  readonly schedules: RetryScheduleGroup;
  /** Absent where nobody can sign in. */
  readonly signIn?: SignIn;
}
