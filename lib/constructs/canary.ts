import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

/**
 * The route of the API that takes the webhook of the canary. It needs no token: deliveries have
 * signatures. No account has its name, and no document of the API lists it.
 */
export const CANARY_ROUTE = { method: 'POST', path: '/_canary', access: 'public' } as const;

/**
 * Every five minutes an event of our own goes through the queues to an endpoint of our own, whose
 * metric raises an alarm when it stops.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { sender }: { readonly sender: LambdaFunction }) {
    super(scope, id);
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
