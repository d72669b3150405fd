import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
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

/** The stacks of one stage, checked against cdk-nag's AwsSolutions pack when synthesised. */
export const composeStage = (app: App, settings: StageSettings) => {
  const prefix = `integrations-${settings.stage}`;
  const state = new StateStack(app, `${prefix}-state`, { settings });
  const service = new ServiceStack(app, `${prefix}-service`, { settings, state });
  Tags.of(app).add('service', 'integrations');
  Tags.of(app).add('stage', settings.stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { state, service };
};
