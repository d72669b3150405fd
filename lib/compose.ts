import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { StageSettings } from './config.ts';
import { ServiceStack } from './service-stack.ts';
import { StateStack } from './state-stack.ts';

const featureFlags = {
  // The service stack's use of a table keeps the state stack from dropping it.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId': true,
  '@aws-cdk/aws-apigateway:logGroupDestinationArnWithoutWildcard': true,
};

/** An app with the library's behaviours that we choose, for `composeStage`. */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, postCliContext: { ...featureFlags, ...props.postCliContext } });

interface StageOptions {
  /** The SNS topic that hears of every alarm; without one alarms show in CloudWatch only. */
  readonly alarmTopicArn?: string;
}

/** The stacks of one stage, checked against cdk-nag's AwsSolutions pack when synthesised. */
export const composeStage = (app: App, settings: StageSettings, options: StageOptions = {}) => {
  const prefix = `integrations-${settings.stage}`;
  const state = new StateStack(app, `${prefix}-state`, { settings });
  const service = new ServiceStack(app, `${prefix}-service`, { settings, state });
  if (options.alarmTopicArn) notify(service, options.alarmTopicArn);
  Tags.of(app).add('service', 'integrations');
  Tags.of(app).add('stage', settings.stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { state, service };
};

const notify = (stack: ServiceStack, topicArn: string): void => {
  const action = new SnsAction(Topic.fromTopicArn(stack, 'AlarmTopic', topicArn));
  for (const construct of stack.node.findAll()) {
    if (construct instanceof Alarm) construct.addAlarmAction(action);
  }
};
