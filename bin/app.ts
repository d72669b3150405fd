import { buildConsole } from '../console/serving/built-console.ts';
import { addStage, createApp } from '../lib/app.ts';
import {
  apiDomainOf,
  consoleDomainOf,
  notificationsOf,
  optionsIn,
} from '../lib/deployment-options.ts';
import { stageNames } from '../lib/stage-settings.ts';
import { settingsFor } from '../lib/stages.ts';

const app = createApp();
const optionOf = (name: string): unknown => app.node.tryGetContext(name);
const stage = optionOf('stage') ?? 'dev';
const options = optionsIn(optionOf);
const settings = settingsFor(stage, options);

if (settings) {
  addStage(app, settings, {
    notifications: notificationsOf(options),
    consoleDomain: consoleDomainOf(optionOf('consoleDomain'), optionOf('consoleCertificateArn')),
    apiDomain: apiDomainOf(optionOf('apiDomain'), optionOf('apiCertificateArn')),
    // Stage `local` leaves the console to the program that runs the stage.
    ...(settings.stage !== 'local' && { consoleFiles: await buildConsole() }),
  });
} else {
  console.error(`Unknown stage "${stage}". Choose one with -c stage=${stageNames.join('|')}.`);
  process.exitCode = 1;
}
