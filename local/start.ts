import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { prepareCertificates } from './certificates.ts';
import { type Demonstration, startDemonstration } from './demo/demonstration.ts';
import { demoEvents } from './demo/events.ts';
import { printGuide } from './demo/guide.ts';
import { type Platform, startPlayground } from './demo/playground.ts';
import { playgroundScript, playgroundScriptText } from './demo/playground-script.ts';
import { printHeading, printPost } from './demo/post-table.ts';
import type { ReceivedPost } from './demo/receiver.ts';
import { createTerminal, harmless } from './demo/terminal.ts';
import {
  type Endpoints,
  endpointsFile,
  endpointsText,
  removeStaleEndpoints,
} from './endpoints-file.ts';
import { removeForOwner, writeForOwner } from './owner-file.ts';
import { type SeededRun, startSeededRun } from './seeded-run.ts';
import { exitCodeOf, readStartOptions, type StartOptions } from './start-options.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const terminal = createTerminal(process.stdout);

const main = async (options: StartOptions): Promise<void> => {
  const cleanups: (() => Promise<void>)[] = [];
  stopOnSignals(async () => {
    terminal.print('\nStopping.');
    for (const cleanup of cleanups) await cleanup();
  });
  const file = endpointsFile(options.stateDirectory);
  const script = playgroundScript(options.stateDirectory);
  await removeStaleEndpoints(file);
  const { playground, run } = await startEverything(options);
  cleanups.unshift(run.stop, playground.close);
  const endpoints = { ...run.endpoints, playground: playground.origin };
  const onPost = (post: ReceivedPost): void => printPost(post, terminal);
  const demonstration = options.demo ? await startDemonstration(run, { onPost }) : undefined;
  if (demonstration) cleanups.unshift(demonstration.close);
  const isGood = demonstration === undefined || (await demonstrate(demonstration, endpoints));
  const texts = { [script]: playgroundScriptText(endpoints), [file]: endpointsText(endpoints) };
  for (const [path, text] of Object.entries(texts)) {
    await writeForOwner(path, text);
    cleanups.unshift(() => removeForOwner(path, text));
  }
  printGuide(endpoints, { file, script, integration: demonstration?.integration, terminal });
  if (isGood) terminal.print(terminal.good(`ready in ${secondsSinceStart()} s`));
  terminal.print(terminal.dim('Ctrl-C stops everything.'));
};

/** Starts the playground first: the error of a taken port then comes before the long start. */
const startEverything = async (options: StartOptions) => {
  const { promise: platform, resolve: platformIsUp } = Promise.withResolvers<Platform>();
  const playground = await startPlayground({
    port: options.playgroundPort,
    ...(await prepareCertificates(resolve(options.stateDirectory))),
    platform,
  });
  const run = await startWithNotice(options);
  platformIsUp({ account: run.customer.account, sendEvent: (event) => run.events.send(event) });
  return { playground, run };
};

const startWithNotice = async (options: StartOptions): Promise<SeededRun> => {
  // Later than the error of a taken port, which is then the only line.
  const notice = setTimeout(() => {
    terminal.print(terminal.dim('Synthesising the stacks and starting what they describe …'));
  }, 250);
  try {
    return await startSeededRun({
      apiPort: options.port,
      awsPort: options.awsPort,
      stateDirectory: options.stateDirectory,
      hourSeconds: options.hourSeconds,
      onFunctionFailure: showFailure,
    });
  } finally {
    clearTimeout(notice);
  }
};

const PATIENCE_MS = 20_000;

/** Sends an event of each type. Resolves to whether all were delivered with right signatures. */
const demonstrate = async (
  { integration, receiverUrl, send, tally }: Demonstration,
  { account }: Endpoints,
): Promise<boolean> => {
  terminal.print(`\nRegistered ${receiverUrl} as ${integration}. Its POSTs:\n`);
  printHeading(terminal);
  await send(demoEvents(account, new Date()));
  const areAllConfirmed = () => tally.missing.length === 0;
  if (await tally.when(areAllConfirmed, PATIENCE_MS)) {
    const count = `${tally.sent} of ${tally.sent}`;
    terminal.print(`\n  ${terminal.good(`${count} events delivered and verified.`)}`);
    return true;
  }
  const types = tally.missing.map(({ type }) => type).join(', ');
  terminal.print(
    `\n  ${terminal.bad(`Not delivered and verified within ${PATIENCE_MS / 1_000} s: ${types}.`)}`,
  );
  terminal.print('  The service goes on running, but something is wrong.');
  return false;
};

const showFailure = (failure: { functionName: string; reason: string; stack?: string }): void => {
  terminal.print(terminal.bad(`  ✗ function ${failure.functionName}: ${harmless(failure.reason)}`));
  for (const line of failure.stack?.split('\n') ?? []) {
    terminal.print(terminal.dim(`      ${harmless(line).trim()}`));
  }
};

/** Counted from the start of the process, before this module is loaded. */
const secondsSinceStart = (): string => (performance.now() / 1_000).toFixed(1);

try {
  await main(readStartOptions(process.argv.slice(2)));
} catch (fault) {
  if (fault instanceof CommanderError) process.exit(exitCodeOf(fault));
  console.error(`error: ${fault instanceof Error ? fault.message : fault}`);
  process.exit(1);
}
