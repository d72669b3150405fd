import { Aws, CfnOutput, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Notifications } from '../deployment-options.ts';
import type { StageName } from '../stage-settings.ts';

/** In percent of the budget: of the costs so far, and of those that AWS expects for the month. */
const WARNINGS = { ACTUAL: 80, FORECASTED: 100 };

/** The topic that every alarm of a stack notifies, with its subscribers, and the stage's budget. */
export class StageNotifications extends Construct {
  constructor(
    stack: Stack,
    id: string,
    { stage, topicArn, emails, monthlyBudget }: Notifications & { readonly stage: StageName },
  ) {
    super(stack, id);
    const topic =
      topicArn === undefined ? this.#createTopic(emails) : this.#existingTopic(topicArn);
    const action = new SnsAction(topic);
    for (const construct of stack.node.findAll()) {
      if (!(construct instanceof Alarm)) continue;
      construct.addAlarmAction(action);
      // That of a new version becomes quiet in each release.
      if (construct.node.id !== 'NewVersionErrors') construct.addOkAction(action);
    }
    if (monthlyBudget !== undefined) this.#addBudget(monthlyBudget, stage, topic);
    new CfnOutput(stack, 'AlarmTopicArn', { value: topic.topicArn });
  }

  /** CloudWatch notifies only topics of its own region. CloudFormation checks rules first. */
  #existingTopic(topicArn: string): ITopic {
    new CfnRule(this, 'TopicRegion', {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.REGION, topicArn.split(':')[3]),
          assertDescription: 'alarmTopicArn must be of this region.',
        },
      ],
    });
    return Topic.fromTopicArn(this, 'ExistingTopic', topicArn);
  }

  #createTopic(emails: readonly string[]): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
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
