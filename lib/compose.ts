import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { StageSettings } from './config.ts';
import type { ConsoleDomain } from './constructs/console-domain.ts';
import { ServiceStack } from './service-stack.ts';
import { StateStack } from './state-stack.ts';

const featureFlags = {
  // The state stack cannot drop a table that the service stack uses.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId': true,
  '@aws-cdk/aws-apigateway:logGroupDestinationArnWithoutWildcard': true,
};

/** A CDK app with our choice of feature flags, for `composeStage`. */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, postCliContext: { ...featureFlags, ...props.postCliContext } });

interface StageOptions {
  /** The SNS topic that gets every alarm. Without a topic, alarms show in CloudWatch only. */
  readonly alarmTopicArn?: string;
  /** The folder of the built web console. Without it the stage has no console and no users of one. */
  readonly consoleFiles?: string;
  /** Where the console is. Without a domain it has a name of CloudFront. */
  readonly consoleDomain?: ConsoleDomain;
}

/** Adds the stacks of one stage. Synthesis checks them against cdk-nag's AwsSolutions pack. */
export const composeStage = (app: App, settings: StageSettings, options: StageOptions = {}) => {
  const prefix = `integrations-${settings.stage}`;
  const { alarmTopicArn, consoleFiles, consoleDomain } = options;
  const state = new StateStack(app, `${prefix}-state`, {
    settings,
    hasWebConsole: consoleFiles !== undefined,
  });
  const service = new ServiceStack(app, `${prefix}-service`, {
    settings,
    state,
    consoleFiles,
    consoleDomain,
  });
  if (alarmTopicArn) notify(service, alarmTopicArn);
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
