import { addStage, createApp } from '../lib/app.ts';
import { brandOf } from '../lib/console-brand.ts';
import { deploymentIn, optionsIn, optionsOf, refuseUnknown } from '../lib/deployment-options.ts';
import { deploymentOf, environmentOf } from '../lib/deployments-file.ts';
import { stageNames } from '../lib/stage-settings.ts';
import { settingsFor } from '../lib/stages.ts';
import { buildConsole } from '../packages/console/serving/built-console.ts';

// The CDK's command line sets the first two, from the credentials.
const {
  CDK_DEFAULT_ACCOUNT: account,
  CDK_DEFAULT_REGION: region,
  DEPLOYMENTS_FILE = 'deployments.json',
} = process.env;

const app = createApp();
const optionOf = (name: string): unknown => app.node.tryGetContext(name);
const stage = optionOf('stage') ?? 'dev';

const readDeployment = () => {
  refuseUnknown(Object.keys(app.node.getAllContext()));
  const given = optionsIn(optionOf, deploymentOf(DEPLOYMENTS_FILE, stage));
  const settings = settingsFor(stage, given);
  if (!settings) throw new Error(`choose another with -c stage=${stageNames.join('|')}.`);
  const options = optionsOf(settings.stage, given);
  const env = environmentOf(settings.stage, options, { account, region });
  return { settings, env, brand: brandOf(options), ...deploymentIn(settings.stage, options) };
};

const deployment = (() => {
  try {
    return readDeployment();
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : fault;
    console.error(`Stage "${stage}" is refused: ${reason}`);
    process.exitCode = 1;
    return undefined;
  }
})();

if (deployment) {
  const { settings, brand, hasConsole, ...options } = deployment;
  const consoleFiles = hasConsole ? await buildConsole(brand) : undefined;
  addStage(app, settings, { ...options, consoleFiles });
}
