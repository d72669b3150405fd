import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { prepareCertificates } from './certificates.ts';
import { printArrival, printHeading } from './demo/arrival-table.ts';
import { type Demonstration, startDemonstration } from './demo/demonstration.ts';
import { demoEvents } from './demo/events.ts';
import { printGuide } from './demo/guide.ts';
import { type Platform, startPlayground } from './demo/playground.ts';
import { playgroundScript, playgroundScriptText } from './demo/playground-script.ts';
import type { Arrival } from './demo/receiver.ts';
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
  const onArrival = (arrival: Arrival): void => printArrival(arrival, terminal);
  const demonstration = options.demo ? await startDemonstration(run, { onArrival }) : undefined;
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

/** The playground first: a port that is taken is known at once. */
const startEverything = async (options: StartOptions) => {
  const { promise: platform, resolve: comesUp } = Promise.withResolvers<Platform>();
  const playground = await startPlayground({
    port: options.playgroundPort,
    ...(await prepareCertificates(resolve(options.stateDirectory))),
    platform,
  });
  const run = await startWithNotice(options);
  comesUp({ account: run.customer.account, sendEvent: (event) => run.events.send(event) });
  return { playground, run };
};

const startWithNotice = async (options: StartOptions): Promise<SeededRun> => {
  // After a port is found taken: the error is the only line then.
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

/** Sends an event of each type; resolves to whether all of them arrived verified. */
const demonstrate = async (
  { integration, receiverUrl, send, tally }: Demonstration,
  { account }: Endpoints,
): Promise<boolean> => {
  terminal.print(`\nRegistered ${receiverUrl} as ${integration}; what arrives there:\n`);
  printHeading(terminal);
  await send(demoEvents(account, new Date()));
  const haveAllArrived = () => tally.missing.length === 0;
  if (await tally.when(haveAllArrived, PATIENCE_MS)) {
    const count = `${tally.sent} of ${tally.sent}`;
    terminal.print(`\n  ${terminal.good(`${count} deliveries arrived and verified.`)}`);
    return true;
  }
  const types = tally.missing.map(({ type }) => type).join(', ');
  terminal.print(
    `\n  ${terminal.bad(`Not arrived verified within ${PATIENCE_MS / 1_000} s: ${types}.`)}`,
  );
  terminal.print('  The service goes on running, but this is not a good start.');
  return false;
};

const showFailure = (failure: { functionName: string; reason: string; stack?: string }): void => {
  terminal.print(terminal.bad(`  ✗ function ${failure.functionName}: ${harmless(failure.reason)}`));
  for (const line of failure.stack?.split('\n') ?? []) {
    terminal.print(terminal.dim(`      ${harmless(line).trim()}`));
  }
};

/** Since the process began, loading included. */
const secondsSinceStart = (): string => (performance.now() / 1_000).toFixed(1);

try {
  await main(readStartOptions(process.argv.slice(2)));
} catch (fault) {
  if (fault instanceof CommanderError) process.exit(exitCodeOf(fault));
  console.error(`error: ${fault instanceof Error ? fault.message : fault}`);
  process.exit(1);
}
