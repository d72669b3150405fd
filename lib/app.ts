import {
  App,
  type AppProps,
  DefaultStackSynthesizer,
  type Environment,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import { StageNotifications } from './constructs/notifications.ts';
import type { Notifications, OwnDomain } from './deployment-options.ts';
import { ServiceStack } from './service-stack.ts';
import type { StageSettings } from './stage-settings.ts';
import { StateStack } from './state-stack.ts';

/** A CDK app with the feature flags of `cdk.json`, also without the CDK's command line. */
export const createApp = (props: AppProps = {}): App =>
  new App({ ...props, postCliContext: { ...cdkJson.context, ...props.postCliContext } });

interface StageOptions {
  /** The account and region that the templates are for. Without them they are for any. */
  readonly env?: Environment;
  readonly notifications?: Notifications;
  /** The folder of the built web console. Without it the stage has no console and no user pool. */
  readonly consoleFiles?: string;
  /** Whether users sign in to the console; by default they do. */
  readonly hasUserPool?: boolean;
  readonly consoleDomain?: OwnDomain;
  /** Origins whose pages may show the console in a frame. */
  readonly embedIn?: readonly string[];
  readonly apiDomain?: OwnDomain;
  /** Beside those of every stage. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Of the `cdk bootstrap` that the deployment uses, unless it is the CDK's own. */
  readonly qualifier?: string;
}

/** Adds the stacks of one stage. Synthesis checks them against cdk-nag's AwsSolutions pack. */
export const addStage = (app: App, settings: StageSettings, options: StageOptions = {}) => {
  const prefix = `integrations-${settings.stage}`;
  const { env, notifications = { emails: [] }, consoleFiles, consoleDomain } = options;
  // CloudFormation gives the tags of a stack to each of its resources that can have tags.
  const tags = { ...options.tags, service: 'integrations', stage: settings.stage };
  const { qualifier } = options;
  const synthesizer = () =>
    new DefaultStackSynthesizer(qualifier === undefined ? {} : { qualifier });
  const state = new StateStack(app, `${prefix}-state`, {
    env,
    tags,
    synthesizer: synthesizer(),
    settings,
    hasUserPool: consoleFiles !== undefined && options.hasUserPool !== false,
    consoleDomain,
  });
  const service = new ServiceStack(app, `${prefix}-service`, {
    env,
    tags,
    synthesizer: synthesizer(),
    settings,
    state,
    consoleFiles,
    consoleDomain,
    embedIn: options.embedIn,
    apiDomain: options.apiDomain,
  });
  if (settings.alarms || notifications.monthlyBudget !== undefined) {
    new StageNotifications(service, 'Notifications', { ...notifications, stage: settings.stage });
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { state, service };
};
