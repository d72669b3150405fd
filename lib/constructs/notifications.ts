import { Aws, CfnOutput, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Notifications, Subscribers } from '../deployment-options.ts';
import { StageAlarm } from '../monitoring/line.ts';
import type { StageName } from '../stage-settings.ts';

/** In percent of the budget: of the costs so far, and of those that AWS expects for the month. */
const WARNINGS = { ACTUAL: 80, FORECASTED: 100 };

/**
 * The topics that the alarms of a stack notify, with their subscribers, and the stage's budget. Alarms
 * that are not urgent have a topic of their own if the stage names who gets them.
 */
export class StageNotifications extends Construct {
  constructor(
    stack: Stack,
    id: string,
    { stage, other, monthlyBudget, ...urgent }: Notifications & { readonly stage: StageName },
  ) {
    super(stack, id);
    const urgentTopic = this.#topic('', urgent);
    const otherTopic = other === undefined ? urgentTopic : this.#topic('Other', other);
    for (const construct of stack.node.findAll()) {
      if (!(construct instanceof StageAlarm)) continue;
      const action = new SnsAction(construct.isUrgent ? urgentTopic : otherTopic);
      construct.addAlarmAction(action);
      // That of a new version becomes quiet in each release.
      if (construct.node.id !== 'NewVersionErrors') construct.addOkAction(action);
    }
    if (monthlyBudget !== undefined) this.#addBudget(monthlyBudget, stage, otherTopic);
    new CfnOutput(stack, 'AlarmTopicArn', { value: urgentTopic.topicArn });
    if (other) new CfnOutput(stack, 'OtherAlarmTopicArn', { value: otherTopic.topicArn });
  }

  #topic(prefix: string, { topicArn, emails }: Subscribers): ITopic {
    return topicArn === undefined
      ? this.#createTopic(`${prefix}Topic`, emails)
      : this.#existingTopic(prefix, topicArn);
  }

  /** CloudWatch notifies only topics of its own region. CloudFormation checks rules first. */
  #existingTopic(prefix: string, topicArn: string): ITopic {
    new CfnRule(this, `${prefix}TopicRegion`, {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.REGION, topicArn.split(':')[3]),
          assertDescription: `${prefix ? 'otherAlarmTopicArn' : 'alarmTopicArn'} must be of this region.`,
        },
      ],
    });
    return Topic.fromTopicArn(this, `${prefix}ExistingTopic`, topicArn);
  }

  #createTopic(id: string, emails: readonly string[]): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    // A policy of our own replaces the one by which SNS lets the account's services publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['cloudwatch', 'budgets'].map(
          (service) => new ServicePrincipal(`${service}.amazonaws.com`),
        ),
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const email of emails) topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  #addBudget(amount: number, stage: StageName, topic: ITopic): void {
    const budget = new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
        // AWS Budgets would count what has one of several tags.
        costFilters: { TagKeyValue: [`user:stage$${stage}`] },
      },
      notificationsWithSubscribers: Object.entries(WARNINGS).map(
        ([notificationType, threshold]) => ({
          notification: {
            notificationType,
            threshold,
            thresholdType: 'PERCENTAGE',
            comparisonOperator: 'GREATER_THAN',
          },
          subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
        }),
      ),
    });
    // The topic's policy too: AWS Budgets refuses a topic to which it may not publish.
    budget.node.addDependency(topic);
  }
}
