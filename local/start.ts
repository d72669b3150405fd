import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { prepareCertificates } from 'local-aws/certificates.ts';
import { removeForOwner, takeFolder, writeForOwner } from 'local-aws/state-folder.ts';
import { escapeControls } from '../adapters/terminal/escape-controls.ts';
import { buildConsole } from '../packages/console/serving/built-console.ts';
import { newConsoleLink } from './console/console-link.ts';
import { startConsoleServer } from './console/console-server.ts';
import { withPasswords } from './console/console-users.ts';
import {
  type ConsoleLinks,
  startEmbeddingPlatform,
  WEBHOOKS_PATH,
} from './console/embedding-platform.ts';
import { DemoFailed } from './demo/demo-webhook.ts';
import { playgroundScript, playgroundScriptText, printGuide, printWelcome } from './demo/guide.ts';
import { type Platform, startPlayground } from './demo/playground.ts';
import { printHeading, printPost } from './demo/post-table.ts';
import { printMail } from './demo/print-mail.ts';
import { prepareShowcase, runShowcase, type Showcase } from './demo/showcase.ts';
import { createTerminal } from './demo/terminal.ts';
import { endpointsFile, endpointsText } from './endpoints-file.ts';
import { SEEDED_USERS, startSeededRun } from './seeded-run.ts';
import { exitCodeOf, readStartOptions, type StartOptions } from './start-options.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const terminal = createTerminal(process.stdout);

const main = async (options: StartOptions): Promise<void> => {
  const leaveFolder = await takeFolder(
    options.stateDirectory,
    'run beside it with --state-directory and five other ports (0 takes any)',
  );
  const cleanups: (() => Promise<void>)[] = [async () => leaveFolder()];
  stopOnSignals(async () => {
    terminal.print('\nStopping.');
    for (const cleanup of cleanups) await cleanup();
  });
  const file = endpointsFile(options.stateDirectory);
  const script = playgroundScript(options.stateDirectory);
  await rm(file, { force: true });
  const { consoleServer, endpoints, platformServer, playground, run } =
    await startEverything(options);
  cleanups.unshift(run.stop, playground.close, platformServer.close, consoleServer.close);
  const showcase = await prepareShowcase(run, playground, (post, isRepeated) =>
    printPost(post, { isRepeated, terminal }),
  );
  const isGood = await demonstrate(showcase, endpoints.account);
  const texts = { [script]: playgroundScriptText(endpoints), [file]: endpointsText(endpoints) };
  for (const [path, text] of Object.entries(texts)) {
    await writeForOwner(path, text);
    cleanups.unshift(() => removeForOwner(path, text));
  }
  printGuide(endpoints, { file, script, showcase, terminal });
  if (isGood) terminal.print(terminal.good(`ready in ${secondsSinceStart()} s`));
  terminal.print(terminal.dim('Ctrl-C stops everything.'));
};

/** Takes all ports first, so that the error of a taken port is the first output. */
const startEverything = async (options: StartOptions) => {
  const { promise: platform, resolve: platformIsUp } = Promise.withResolvers<Platform>();
  const playground = await startPlayground({
    port: options.playgroundPort,
    ...(await prepareCertificates(resolve(options.stateDirectory))),
    platform,
  });
  const users = withPasswords(SEEDED_USERS, options.consolePassword);
  const { promise: links, resolve: linksAreThere } = Promise.withResolvers<ConsoleLinks>();
  const platformServer = await startEmbeddingPlatform({ port: options.platformPort, links });
  const consoleServer = await startConsoleServer({
    port: options.consolePort,
    embedIn: [platformServer.origin, ...(options.embedIn ? [options.embedIn] : [])],
    platformUrl: platformServer.origin + WEBHOOKS_PATH,
    users,
  });
  const { promise: listening, resolve: allListen } = Promise.withResolvers<void>();
  const shown = {
    console: consoleServer.origin,
    consoleUsers: users.map(({ user: _user, ...shown }) => shown),
    platformPage: platformServer.origin,
  };
  const [run, directory] = await Promise.all([
    startSeededRun({
      apiPort: options.port,
      awsPort: options.awsPort,
      stateDirectory: options.stateDirectory,
      hourSeconds: options.hourSeconds,
      console: consoleServer,
      handsOverAwsCalls: true,
      onFunctionFailure: showFailure,
      onListening: allListen,
    }),
    listening.then(() => {
      printWelcome(shown, terminal);
      terminal.print(terminal.dim('Starting the service, which takes some seconds …'));
      return buildConsole();
    }),
  ]);
  const newLink = (page?: string) => newConsoleLink(run.endpoints, { page });
  await consoleServer.serve({
    directory,
    api: run.endpoints.api,
    mailed: run.mailed,
    newLink: () => newLink(),
  });
  linksAreThere({ newLink });
  platformIsUp({
    account: run.customer.account,
    sendEvent: (event) => run.events.send(event),
    notices: run,
  });
  const endpoints = { ...run.endpoints, playground: playground.origin, ...shown };
  return { consoleServer, endpoints, platformServer, playground, run };
};

/** Sends an event of each type. Resolves to whether the showcase is then as it should be. */
const demonstrate = async (showcase: Showcase, account: string): Promise<boolean> => {
  const { failing, working } = showcase;
  terminal.print(`\nRegistered ${working.url} as ${working.integration}. Its POSTs:\n`);
  printHeading(terminal);
  try {
    const mail = await runShowcase(showcase, account);
    terminal.print(`\n  ${terminal.good('All events delivered and verified.')}`);
    terminal.print(
      `  ${failing.url} answers 500: ${failing.integration} has failed, and its events are pending.`,
    );
    printMail(mail, { indent: '  ', terminal });
    return true;
  } catch (fault) {
    if (!(fault instanceof DemoFailed)) throw fault;
    terminal.print(`\n  ${terminal.bad(fault.message)}`);
    terminal.print('  The service goes on running, but something is wrong.');
    return false;
  }
};

const showFailure = (failure: { functionName: string; reason: string; stack?: string }): void => {
  terminal.print(
    terminal.bad(`  ✗ function ${failure.functionName}: ${escapeControls(failure.reason)}`),
  );
  for (const line of failure.stack?.split('\n') ?? []) {
    terminal.print(terminal.dim(`      ${escapeControls(line).trim()}`));
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
