import { addStage, createApp } from '../lib/app.ts';
import {
  apiDomainOf,
  consoleDomainOf,
  hasConsole,
  notificationsOf,
  optionsIn,
} from '../lib/deployment-options.ts';
import { deploymentOf, environmentOf } from '../lib/deployments-file.ts';
import { stageNames } from '../lib/stage-settings.ts';
import { settingsFor } from '../lib/stages.ts';
import { buildConsole } from '../packages/console/serving/built-console.ts';

// The CDK's command line sets the first, from the credentials.
const { CDK_DEFAULT_ACCOUNT, DEPLOYMENTS_FILE = 'deployments.json' } = process.env;

const app = createApp();
const optionOf = (name: string): unknown => app.node.tryGetContext(name);
const stage = optionOf('stage') ?? 'dev';

const readDeployment = () => {
  const options = optionsIn(optionOf, deploymentOf(DEPLOYMENTS_FILE, stage));
  const settings = settingsFor(stage, options);
  if (!settings) throw new Error(`choose another with -c stage=${stageNames.join('|')}.`);
  return {
    settings,
    isWithConsole: hasConsole(settings.stage, options),
    env: environmentOf(settings.stage, options, CDK_DEFAULT_ACCOUNT),
    consoleDomain: consoleDomainOf(options),
    apiDomain: apiDomainOf(options),
    notifications: notificationsOf(options),
  };
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
  const { settings, isWithConsole, ...options } = deployment;
  const consoleFiles = isWithConsole ? await buildConsole() : undefined;
  addStage(app, settings, { ...options, consoleFiles });
}
