import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';
import type { Permission } from './service-function.ts';

/**
 * The schedule group in which functions create and delete the hourly schedules of integrations, and
 * the role with which Scheduler invokes the function `retry-hourly`.
 */
export class RetryScheduleGroup extends Construct {
  /** Fixed: the function's environment has the function's own ARN, which needs a known name. */
  readonly functionName: string;
  readonly #functionArn: string;
  readonly #groupName: string;
  readonly #group: ScheduleGroup;
  readonly #role: Role;
  readonly #retryIntervalMs: number;

  constructor(scope: Construct, id: string, { settings }: { settings: StageSettings }) {
    super(scope, id);
    this.#retryIntervalMs = settings.retryIntervalMs;
    this.functionName = `${Stack.of(this).stackName}-retry-hourly`;
    this.#functionArn = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: this.functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.#groupName = `integrations-${settings.stage}`;
    this.#group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: this.#groupName,
      removalPolicy: settings.removalPolicy,
    });
    this.#role = this.#createRole();
  }

  get groupName(): string {
    return this.#group.scheduleGroupName;
  }

  /** Environment variables of every function that creates or deletes schedules. */
  get variables() {
    return {
      SCHEDULE_GROUP: this.#group.scheduleGroupName,
      SCHEDULE_ROLE_ARN: this.#role.roleArn,
      RETRY_FUNCTION_ARN: this.#functionArn,
      RETRY_INTERVAL_MS: `${this.#retryIntervalMs}`,
    };
  }

  /**
   * Permissions of every function that creates or deletes schedules. A function that creates a
   * schedule passes a role to Scheduler, and needs `iam:PassRole` for that.
   */
  get permissions(): readonly Permission[] {
    return [
      {
        actions: ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'],
        resource: Stack.of(this).formatArn({
          service: 'scheduler',
          resource: 'schedule',
          resourceName: `${this.#group.scheduleGroupName}/*`,
        }),
        acknowledgement: {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${this.#groupName}/*]`,
          reason: 'Each integration in trouble has a schedule of its own in this group.',
        },
      },
      {
        actions: ['iam:PassRole'],
        resource: this.#role.roleArn,
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ];
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
            'aws:SourceArn': this.#group.scheduleGroupArn,
          },
        },
      }),
      inlinePolicies: {
        InvokeRetryHourly: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [this.#functionArn],
            }),
          ],
        }),
      },
    });
  }
}
