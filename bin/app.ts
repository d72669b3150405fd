import { composeStage, createApp } from '../lib/compose.ts';
import { settingsFor, stageNames } from '../lib/config.ts';

const app = createApp();
const stage: unknown = app.node.tryGetContext('stage') ?? 'dev';
const settings = settingsFor(stage, {
  hourSeconds: app.node.tryGetContext('hourSeconds'),
  corsOrigin: app.node.tryGetContext('corsOrigin'),
  attemptLines: app.node.tryGetContext('attemptLines'),
  signInIssuer: app.node.tryGetContext('signInIssuer'),
  signInClientId: app.node.tryGetContext('signInClientId'),
  signInJwksUri: app.node.tryGetContext('signInJwksUri'),
});

if (settings) {
  composeStage(app, settings, { alarmTopicArn: app.node.tryGetContext('alarmTopicArn') });
} else {
  console.error(`Unknown stage "${stage}". Choose one with -c stage=${stageNames.join('|')}.`);
  process.exitCode = 1;
}
