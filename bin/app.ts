import { buildConsole } from '../console/serving/built-console.ts';
import { choicesIn } from '../lib/choices.ts';
import { composeStage, createApp } from '../lib/compose.ts';
import { settingsFor } from '../lib/config.ts';
import { consoleDomainOf } from '../lib/constructs/console-domain.ts';
import { stageNames } from '../lib/stage-settings.ts';

const app = createApp();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const settings = settingsFor(
  stage,
  choicesIn((name) => app.node.tryGetContext(name)),
);

if (settings) {
  composeStage(app, settings, {
    alarmTopicArn: app.node.tryGetContext('alarmTopicArn'),
    consoleDomain: consoleDomainOf(
      app.node.tryGetContext('consoleDomain'),
      app.node.tryGetContext('consoleCertificateArn'),
    ),
    // Stage `local` leaves the console to the program that runs the stage.
    ...(settings.stage !== 'local' && { consoleFiles: await buildConsole() }),
  });
} else {
  console.error(`Unknown stage "${stage}". Choose one with -c stage=${stageNames.join('|')}.`);
  process.exitCode = 1;
}
