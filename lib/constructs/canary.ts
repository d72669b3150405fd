import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { PlottedAlarm } from './monitoring.ts';
import { writtenMetric } from './stage-metrics.ts';

interface CanaryProps {
  readonly settings: StageSettings;
  readonly sender: LambdaFunction;
}

/**
 * The route of the API that takes the webhook of the canary. It needs no token: deliveries have
 * signatures. No account has its name, and no document of the API lists it.
 */
export const CANARY_ROUTE = { method: 'POST', path: '/_canary', access: 'public' } as const;

const PERIOD = Duration.minutes(5);

/**
 * Every five minutes an event of our own goes through the queues to an endpoint of our own, whose
 * metric raises an alarm when it stops.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { settings, sender }: CanaryProps) {
    super(scope, id);
    this.#callEachPeriod(sender);
    new PlottedAlarm(this, 'LateAlarm', {
      graph: 'canary',
      label: 'time to arrive',
      // Without FILL an alarm looks back to older samples, and is raised ten minutes later.
      metric: new MathExpression({
        expression: `FILL(latency, ${Duration.minutes(15).toMilliseconds()})`,
        usingMetrics: {
          latency: writtenMetric(settings.stage, 'CanaryLatency', {
            period: PERIOD,
            statistic: 'Maximum',
          }),
        },
        period: PERIOD,
      }),
      threshold: PERIOD.toMilliseconds(),
      periods: 3,
      isRaisedWithoutData: true,
      meaning: "The canary's webhook has not arrived for 15 minutes, or is five minutes late.",
      runbookSection: 'canary',
    });
  }

  #callEachPeriod(sender: LambdaFunction): void {
    const group = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule-group',
      resourceName: 'default',
    });
    const role = new Role(this, 'Role', {
      // AWS's advice against a confused deputy, as for the hourly schedules.
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': group },
        },
      }),
      inlinePolicies: {
        SendCanary: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [sender.functionArn],
            }),
          ],
        }),
      },
    });
    new CfnSchedule(this, 'Schedule', {
      description: 'Sends an event of the canary',
      scheduleExpression: 'rate(5 minutes)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: sender.functionArn,
        roleArn: role.roleArn,
        // The next event comes soon, and the alarm tells of a missing one.
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 0 },
      },
    });
  }
}
