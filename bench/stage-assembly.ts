import {
  type FunctionSettings,
  functionEnvironment,
  functionSettings,
} from 'local-aws/functions/function-settings.ts';
import { readAssembly } from 'local-aws/template/assembly.ts';
import { resolveStacks } from 'local-aws/template/stacks.ts';
import { addStage, createApp } from '../lib/app.ts';
import type { GivenOptions } from '../lib/deployment-options.ts';
import type { StageName, StageSettings } from '../lib/stage-settings.ts';
import { settingsFor } from '../lib/stages.ts';

/**
 * Writes the cloud assembly of a stage into the directory, with the functions' code and without the
 * web console, versions and backups: the embedded run has no Cognito, CloudFront, CodeDeploy and AWS
 * Backup. Without the canary, whose events would be measured too.
 */
export const assembleStage = (
  stage: StageName,
  directory: string,
  choices: GivenOptions = {},
): void => {
  const settings = settingsOf(stage, choices);
  const absent = { release: 'unversioned', backups: false, canary: false } as const;
  synthesise({ ...settings, ...absent }, directory);
};

const settingsOf = (stage: StageName, choices: GivenOptions = {}): StageSettings => {
  const settings = settingsFor(stage, choices);
  if (!settings) throw new Error(`There is no stage ${stage}.`);
  return settings;
};

const synthesise = (settings: StageSettings, directory: string) => {
  const app = createApp({ outdir: directory });
  addStage(app, settings);
  return app.synth();
};

/** What stage prod has that a run on loopback cannot have. */
export const ON_LOOPBACK = {
  ALLOW_LOOPBACK: 'true',
  // DynamoDB shares the machine with everything else.
  DELIVERY_LOG_DEADLINE_MS: '8000',
} as const;

export interface TemplateResource {
  readonly logicalId: string;
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

/** The resources of all stacks of an assembly. */
export const readResources = async (directory: string): Promise<TemplateResource[]> =>
  (await readAssembly(directory)).flatMap(({ template }) => resourcesIn(template));

const resourcesIn = ({
  Resources,
}: {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> | undefined }>;
}): TemplateResource[] =>
  Object.entries(Resources).map(([logicalId, { Type, Properties = {} }]) => ({
    logicalId,
    Type,
    Properties,
  }));

const NAME = 'deliver-webhook';

/** The function as stage prod deploys it: its settings, bundle included, and its environment. */
export const deliverWebhookIn = async (
  directory: string,
): Promise<{
  settings: FunctionSettings;
  environmentAt: (awsOrigin: string) => Record<string, string>;
}> => {
  assembleStage('prod', directory);
  const templates = await readAssembly(directory);
  const settingsAt = (awsOrigin: string): FunctionSettings => {
    const stacks = resolveStacks(templates, { awsOrigin, apiOrigin: awsOrigin });
    const found = stacks
      .flatMap(({ assets, resources }) =>
        resources
          .filter(({ type }) => type === 'AWS::Lambda::Function')
          .map((resource) => functionSettings(resource, assets)),
      )
      .find(({ environment }) => environment.POWERTOOLS_SERVICE_NAME === NAME);
    if (!found) throw new Error(`The template has no function ${NAME}.`);
    return { ...found, environment: { ...found.environment, ...ON_LOOPBACK } };
  };
  return {
    settings: settingsAt('http://127.0.0.1'),
    environmentAt: (awsOrigin) => functionEnvironment(settingsAt(awsOrigin), awsOrigin),
  };
};
