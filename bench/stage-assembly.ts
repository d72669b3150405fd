import type { Choices } from '../lib/choices.ts';
import { composeStage, createApp } from '../lib/compose.ts';
import { type StageName, settingsFor } from '../lib/config.ts';
import { readAssembly } from '../local/template/assembly.ts';

/**
 * Writes the cloud assembly of a stage into the directory, with the functions' code and without the
 * web console: the embedded run has no Cognito and no CloudFront.
 */
export const assembleStage = (stage: StageName, directory: string, choices: Choices = {}): void => {
  const settings = settingsFor(stage, choices);
  if (!settings) throw new Error(`There is no stage ${stage}.`);
  const app = createApp({ outdir: directory });
  composeStage(app, settings);
  app.synth();
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
  (await readAssembly(directory)).flatMap(({ template }) =>
    Object.entries(template.Resources).map(([logicalId, { Type, Properties = {} }]) => ({
      logicalId,
      Type,
      Properties,
    })),
  );
