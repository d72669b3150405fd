import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import type { Permission } from './service-function.ts';
import { addDeadLetterQueue } from './work-queue.ts';

interface RetryScheduleGroupProps {
  readonly settings: StageSettings;
  /** The queue on which a schedule puts a message each time it fires. */
  readonly retries: Queue;
}

/**
 * The schedule group in which functions create and delete the hourly schedules of integrations, the
 * role with which Scheduler sends to the retry queue, and the queue for messages that Scheduler could
 * not send.
 */
export class RetryScheduleGroup extends Construct {
  /**
   * Gets reports of messages that Scheduler could not send. `retry-hourly` cannot read reports, so
   * this is not the dead-letter queue of the retry queue.
   */
  readonly deadLetterQueue: Queue;
  readonly #retries: Queue;
  readonly #groupName: string;
  readonly group: ScheduleGroup;
  readonly #role: Role;
  readonly #retryIntervalMs: number;

  constructor(scope: Construct, id: string, { settings, retries }: RetryScheduleGroupProps) {
    super(scope, id);
    this.#retryIntervalMs = settings.retryIntervalMs;
    this.#retries = retries;
    this.deadLetterQueue = addDeadLetterQueue(this, settings, 'schedules');
    this.#groupName = `integrations-${settings.stage}`;
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: this.#groupName,
      removalPolicy: settings.removalPolicy,
    });
    this.#role = this.#createRole();
  }

  get groupName(): string {
    return this.group.scheduleGroupName;
  }

  /** Environment variables of every function that creates or deletes schedules. */
  get variables() {
    return {
      SCHEDULE_GROUP: this.group.scheduleGroupName,
      SCHEDULE_ROLE_ARN: this.#role.roleArn,
      RETRY_QUEUE_ARN: this.#retries.queueArn,
      SCHEDULE_DEAD_LETTER_QUEUE_ARN: this.deadLetterQueue.queueArn,
      RETRY_INTERVAL_MS: `${this.#retryIntervalMs}`,
    };
  }

  /** For a function that moves the hourly retry. As a creation, it passes a role to Scheduler. */
  get movePermissions(): readonly Permission[] {
    return [this.#toSchedules('scheduler:UpdateSchedule')];
  }

  /** For a function that ends troubles. */
  get deletePermissions(): readonly Permission[] {
    return [this.#toSchedules('scheduler:DeleteSchedule')];
  }

  /**
   * For a function that begins troubles. Creating a schedule passes a role to Scheduler, which
   * requires `iam:PassRole`.
   */
  get createPermissions(): readonly Permission[] {
    return [
      this.#toSchedules('scheduler:CreateSchedule'),
      {
        actions: ['iam:PassRole'],
        resource: this.#role.roleArn,
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ];
  }

  #toSchedules(action: string): Permission {
    return {
      actions: [action],
      resource: Stack.of(this).formatArn({
        partition: Aws.PARTITION,
        region: Aws.REGION,
        account: Aws.ACCOUNT_ID,
        service: 'scheduler',
        resource: 'schedule',
        resourceName: `${this.group.scheduleGroupName}/*`,
      }),
      acknowledgement: {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${this.#groupName}/*]`,
        reason: 'Each integration in trouble has a schedule of its own in this group.',
      },
    };
  }

  /**
   * The conditions are AWS's advice against a confused deputy. `aws:SourceArn` is the ARN of the
   * group, not of a schedule.
   */
  #createRole(): Role {
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Aws.ACCOUNT_ID,
            'aws:SourceArn': this.group.scheduleGroupArn,
          },
        },
      }),
      inlinePolicies: {
        SendRetries: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sqs:SendMessage'],
              resources: [this.#retries.queueArn, this.deadLetterQueue.queueArn],
            }),
          ],
        }),
      },
    });
  }
}
