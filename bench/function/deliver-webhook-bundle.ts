import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../lib/constructs/bundle-options.ts';
import type { DeploymentOptions } from '../../lib/deployment-options.ts';
import { functionEnvironment } from '../../local/functions/function-environment.ts';
import {
  type FunctionSettings,
  functionSettings,
} from '../../local/functions/function-settings.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { resolveStacks } from '../../local/template/stacks.ts';
import { assembleStage, ON_LOOPBACK } from '../stage-assembly.ts';

const NAME = 'deliver-webhook';

/** The function as stage prod deploys it: its settings, bundle included, and its environment. */
export const deliverWebhookIn = async (
  directory: string,
  choices: DeploymentOptions = {},
): Promise<{
  settings: FunctionSettings;
  environmentAt: (awsOrigin: string) => Record<string, string>;
}> => {
  assembleStage('prod', directory, choices);
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

/**
 * The source map of a deployed bundle, which is deployed without one: the bundle is built again,
 * and must be the same.
 */
export const sourceMapOf = async ({ file }: FunctionSettings): Promise<string> => {
  const outfile = join(dirname(file), 'again.mjs');
  const { outputFiles } = await build({
    entryPoints: [new URL(`../../lambdas/${NAME}/index.ts`, import.meta.url).pathname],
    outfile,
    ...BUNDLE_OPTIONS,
    sourcemap: 'external',
    write: false,
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  if (textOf('.mjs') !== (await readFile(file, 'utf8'))) {
    throw new Error('The bundle was built another way than this bench builds it.');
  }
  return textOf('.map');
};
