import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import type { OwnDomain } from './deployment-options.ts';
import { ServiceStack } from './service-stack.ts';
import type { StageSettings } from './stage-settings.ts';
import { StateStack } from './state-stack.ts';

/** A CDK app with the feature flags of `cdk.json`, also without the CDK's command line. */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, postCliContext: { ...cdkJson.context, ...props.postCliContext } });

interface StageOptions {
  /** The SNS topic that gets every alarm. Without a topic, alarms show in CloudWatch only. */
  readonly alarmTopicArn?: string;
  /** The folder of the built web console. Without it the stage has no console and no user pool. */
  readonly consoleFiles?: string;
  readonly consoleDomain?: OwnDomain;
  readonly apiDomain?: OwnDomain;
}

/** Adds the stacks of one stage. Synthesis checks them against cdk-nag's AwsSolutions pack. */
export const addStage = (app: App, settings: StageSettings, options: StageOptions = {}) => {
  const prefix = `integrations-${settings.stage}`;
  const { alarmTopicArn, consoleFiles, consoleDomain, apiDomain } = options;
  // CloudFormation gives the tags of a stack to each of its resources that can have tags.
  const tags = { service: 'integrations', stage: settings.stage };
  const state = new StateStack(app, `${prefix}-state`, {
    tags,
    settings,
    hasWebConsole: consoleFiles !== undefined,
    consoleDomain,
  });
  const service = new ServiceStack(app, `${prefix}-service`, {
    tags,
    settings,
    state,
    consoleFiles,
    consoleDomain,
    apiDomain,
  });
  if (alarmTopicArn) notify(service, alarmTopicArn);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { state, service };
};

const notify = (stack: ServiceStack, topicArn: string): void => {
  const action = new SnsAction(Topic.fromTopicArn(stack, 'AlarmTopic', topicArn));
  for (const construct of stack.node.findAll()) {
    if (construct instanceof Alarm) construct.addAlarmAction(action);
  }
};
