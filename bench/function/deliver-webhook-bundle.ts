import {
  type FunctionSettings,
  functionEnvironment,
  functionSettings,
} from '../../local/functions/function-settings.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { resolveStacks } from '../../local/template/stacks.ts';
import { assembleStage, ON_LOOPBACK } from '../stage-assembly.ts';

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
