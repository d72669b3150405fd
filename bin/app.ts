import { buildConsole } from '../console/serving/built-console.ts';
import { composeStage, createApp } from '../lib/compose.ts';
import { settingsFor } from '../lib/config.ts';
import { consoleDomainOf } from '../lib/constructs/console-domain.ts';
import { stageNames } from '../lib/stage-settings.ts';

const app = createApp();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const settings = settingsFor(stage, {
  hourSeconds: app.node.tryGetContext('hourSeconds'),
  consoleOrigin: app.node.tryGetContext('consoleOrigin'),
  attemptLines: app.node.tryGetContext('attemptLines'),
  release: app.node.tryGetContext('release'),
  webAcl: app.node.tryGetContext('webAcl'),
  tracing: app.node.tryGetContext('tracing'),
  dashboard: app.node.tryGetContext('dashboard'),
  signInIssuer: app.node.tryGetContext('signInIssuer'),
  signInClientId: app.node.tryGetContext('signInClientId'),
  signInJwksUri: app.node.tryGetContext('signInJwksUri'),
});

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
