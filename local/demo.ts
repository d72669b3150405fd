import { Command, CommanderError } from 'commander';
import { takeFolder } from 'local-aws/state-folder.ts';
import { escapeControls } from '../adapters/terminal/escape-controls.ts';
import { createPostLines, type DemoContext, runSteps } from './demo/demo-steps.ts';
import { DemoFailed, type DemoWebhook, registerWebhook } from './demo/demo-webhook.ts';
import { startPlayground } from './demo/playground.ts';
import { createTerminal } from './demo/terminal.ts';
import { STATE_DIRECTORY } from './endpoints-file.ts';
import { type SeededRun, startSeededRun } from './seeded-run.ts';
import { exitCodeOf } from './start-options.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Long enough to follow the output, short enough for a demonstration of less than a minute. */
const HOUR_SECONDS = 6;

const FOLDER = `${STATE_DIRECTORY}/demo`;

const terminal = createTerminal(process.stdout);
const cleanups: (() => Promise<void>)[] = [];

const stop = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
};

const start = async (): Promise<SeededRun> => {
  const leaveFolder = await takeFolder(FOLDER, 'wait for its end');
  cleanups.unshift(async () => leaveFolder());
  terminal.print('Starting the whole service on this machine …');
  const run = await startSeededRun({
    apiPort: 0,
    awsPort: 0,
    stateDirectory: FOLDER,
    hourSeconds: HOUR_SECONDS,
    handsOverAwsCalls: true,
    onFunctionFailure: ({ functionName, reason }) =>
      terminal.print(terminal.bad(`   ✗ function ${functionName}: ${escapeControls(reason)}`)),
  });
  cleanups.unshift(run.stop);
  return run;
};

/** Starts an endpoint whose answers the steps choose, registered for every event type. */
const prepare = async (run: SeededRun): Promise<DemoContext> => {
  const { account } = run.customer;
  const platform = Promise.resolve({
    account,
    sendEvent: run.events.send.bind(run.events),
    notices: run,
  });
  const playground = await startPlayground({ port: 0, ...run.endpoints, platform });
  cleanups.unshift(playground.close);
  const showPost = createPostLines(terminal);
  let isShown = false;
  const webhook = await registerWebhook('demo', {
    run,
    playground,
    onPost: (post) => {
      if (isShown) showPost(post);
    },
  });
  terminal.print(
    `Registered ${webhook.url} as ${webhook.integration}. An hour lasts ${HOUR_SECONDS} s here.`,
  );
  return {
    terminal,
    webhook,
    account,
    hourSeconds: HOUR_SECONDS,
    showPosts: (shown) => {
      isShown = shown;
    },
  };
};

/** Prints the totals. Returns whether no event was lost and every signature was right. */
const showResult = ({ posts, duplicates, missing, sent, unverified }: DemoWebhook): boolean => {
  const isGood = missing.length === 0 && unverified === 0;
  const styled = isGood ? terminal.good : terminal.bad;
  const delivered = sent - missing.length;
  terminal.print(
    styled(
      `\nsent ${sent}, delivered ${delivered}, lost ${missing.length}, duplicates ${duplicates}`,
    ),
  );
  terminal.print(styled(`${posts.length - unverified} of ${posts.length} POSTs verified`));
  for (const { id, type } of missing) terminal.print(terminal.bad(`lost: ${type} ${id}`));
  return isGood;
};

const main = async (): Promise<boolean> => {
  const context = await prepare(await start());
  const isComplete = await runSteps(context).then(
    () => true,
    (fault) => {
      if (!(fault instanceof DemoFailed)) throw fault;
      terminal.print(terminal.bad(`   ${fault.message}`));
      return false;
    },
  );
  return showResult(context.webhook) && isComplete;
};

/** Throws `CommanderError` when the demonstration is not to run; the message is printed then. */
const readWords = (words: readonly string[]): void => {
  new Command('npm run demo')
    .description(
      'Runs the service on this machine for half a minute: deliveries, a failure, its repair, a replay.',
    )
    .exitOverride()
    .parse(words, { from: 'user' });
};

try {
  readWords(process.argv.slice(2));
} catch (fault) {
  if (!(fault instanceof CommanderError)) throw fault;
  process.exit(exitCodeOf(fault));
}

let isInterrupted = false;
stopOnSignals(
  () => {
    isInterrupted = true;
    terminal.print('\nStopping.');
    return stop();
  },
  { exitCode: 130 },
);
try {
  const isGood = await main();
  // The signal handler ends the process; without the run, the result says nothing.
  if (isInterrupted) await new Promise(() => {});
  await stop();
  terminal.print(`${isGood ? 'Done' : 'Not done'} in ${(performance.now() / 1_000).toFixed(1)} s.`);
  process.exit(isGood ? 0 : 1);
} catch (fault) {
  if (isInterrupted) await new Promise(() => {});
  await stop().catch(() => {});
  console.error(`error: ${fault instanceof Error ? fault.message : fault}`);
  process.exit(1);
}
