import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { RetryScheduleGroup } from '../constructs/retry-schedule-group.ts';
import type { TableStream } from '../constructs/table-stream.ts';
import type { WorkQueue } from '../constructs/work-queue.ts';
import type { SignIn, StageSettings } from '../stage-settings.ts';
import type { StateStack } from '../state-stack.ts';

/** The parts of a service stack that its functions use. */
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
  /** The address of the API, without a slash at its end. */
  readonly apiUrl: string;
  /** Of the API, by each of its names, and of the web console, with a space between them. */
  readonly ownOrigins: string;
  /** Of the web console: only its pages may call the API from a browser. */
  readonly corsOrigin?: string;
  /** The provider whose tokens the authorizer accepts. */
  readonly signIn?: SignIn;
  readonly logStream: TableStream;
  readonly integrationStream: TableStream;
  /** Tells the platform of the changes of integrations. */
  readonly eventBus: IEventBus;
  /** The requests for e-mails; absent if the stage sends none. */
  readonly notices?: WorkQueue;
}
