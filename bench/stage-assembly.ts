import { addStage, createApp } from '../lib/app.ts';
import type { DeploymentOptions } from '../lib/deployment-options.ts';
import type { StageName, StageSettings } from '../lib/stage-settings.ts';
import { settingsFor } from '../lib/stages.ts';
import { readAssembly } from '../local/template/assembly.ts';

/**
 * Writes the cloud assembly of a stage into the directory, with the functions' code and without the
 * web console and versions: the embedded run has no Cognito, CloudFront and CodeDeploy.
 */
export const assembleStage = (
  stage: StageName,
  directory: string,
  choices: DeploymentOptions = {},
): void => {
  synthesise({ ...settingsOf(stage, choices), release: 'unversioned' }, directory);
};

const settingsOf = (stage: StageName, choices: DeploymentOptions = {}): StageSettings => {
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
