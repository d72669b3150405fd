import type { LogStream } from '../constructs/log-stream.ts';
import type { RetryScheduleGroup } from '../constructs/retry-schedule-group.ts';
import type { WorkQueue } from '../constructs/work-queue.ts';
import type { SignIn, StageSettings } from '../stage-settings.ts';
import type { StateStack } from '../state-stack.ts';

/**
 * What the functions of a service stack share: settings, tables, queues and schedules, and the web
 * console.
 */
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
  /** Of the web console: its pages are the only ones that may call the API from a browser. */
  readonly corsOrigin?: string;
  /** Who signs in to the web console. Without a provider the authorizer accepts no token of one. */
  readonly signIn?: SignIn;
  readonly logStream: LogStream;
}
