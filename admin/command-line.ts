import { Command, CommanderError } from 'commander';
import { escapeControls } from '../adapters/terminal/escape-controls.ts';
import { STATE_DIRECTORY } from '../local/endpoints-file.ts';
import type { CommandProcess, Perform } from './command.ts';
import { addAccountCommands } from './commands/accounts.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDeliveryCommands } from './commands/deliveries.ts';
import { addEventCommands } from './commands/events.ts';
import { addIntegrationCommands } from './commands/integrations.ts';
import { addSignatureCommands } from './commands/signatures.ts';
import { addStageCommands } from './commands/stage.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addUserCommands } from './commands/users.ts';
import type { Connection } from './connection.ts';
import { faultLine } from './fault-line.ts';

interface GlobalOptions {
  readonly stage?: string;
  readonly stateDirectory: string;
  readonly json?: true;
}

const EXIT = { done: 0, failed: 1, misused: 2 } as const;

const GUIDE = `
Which deployment a command acts on:
  Without --stage, a command acts on the service that "npm start" runs on this machine, and never on
  AWS. Of two that run, --state-directory names the one that was started with this option.
  --stage names a deployment in AWS, or at the place that AWS_ENDPOINT_URL names. The command reads
  the names of tables, queues and user pool from the outputs of the CloudFormation stacks
  integrations-<stage>-state and integrations-<stage>-service.
  The AWS SDK reads AWS_REGION, AWS_PROFILE, AWS_ENDPOINT_URL and so on, as everywhere.

A new customer, from account to token:
  npm run admin -- accounts create acme
  npm run admin -- accounts create acme-sms --parent acme
  npm run admin -- users create u_ada --account acme --role admin
  npm run admin -- signatures set u_ada "Ada, Acme Inc."
  npm run admin -- tokens issue --user u_ada --role admin

In a script (--silent keeps npm's own lines out):
  npm run --silent admin -- tokens list --account acme --json

Help on one command: npm run admin -- tokens issue --help
Exit codes: 0 done, 1 not done (the reason is on stderr), 2 not understood.`;

/** Runs one command line. Resolves to the exit code: 0 done, 1 not done, 2 not understood. */
export const runCommandLine = async (
  words: readonly string[],
  given: CommandProcess,
): Promise<number> => {
  const io = withHarmlessOutput(given);
  let connection: Connection | undefined;
  let exitCode: number = EXIT.done;
  const perform: Perform = async (command, work) => {
    const { stage, stateDirectory, json } = command.optsWithGlobals<GlobalOptions>();
    connection = await io.connect({ stage, stateDirectory });
    const { document, lines, isFailure } = await work(connection);
    const shown = json ? JSON.stringify(document, null, 2) : lines.map(escapeControls).join('\n');
    io.writeOut(`${shown}\n`);
    if (isFailure) exitCode = EXIT.failed;
  };
  try {
    await createProgram(perform, io).parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (fault) {
    if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.done : EXIT.misused;
    io.writeError(`error: ${faultLine(fault, connection?.target)}\n`);
    return EXIT.failed;
  }
};

/** Texts from outside, such as the event id of a dead letter, must not control the terminal. */
const withHarmlessOutput = (io: CommandProcess): CommandProcess => {
  const eachLine = (text: string): string => text.split('\n').map(escapeControls).join('\n');
  return {
    ...io,
    confirm: (question) => io.confirm(eachLine(question)),
    writeOut: (text) => io.writeOut(eachLine(text)),
    writeError: (text) => io.writeError(eachLine(text)),
  };
};

const createProgram = (perform: Perform, io: CommandProcess): Command => {
  const program = new Command('npm run admin --')
    .description(
      'Customers of the integrations service: who they are, their webhooks, and what became of their events.',
    )
    .option('--stage <stage>', 'dev or prod (default: what "npm start" runs on this machine)')
    .option('--state-directory <path>', 'as given to "npm start"', STATE_DIRECTORY)
    .option('--json', 'write the result as JSON')
    .addHelpText('after', GUIDE)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: io.writeOut, writeErr: io.writeError })
    .showHelpAfterError('(--help after any command explains it)');
  addAccountCommands(program, perform, io);
  addUserCommands(program, perform, io);
  addSignatureCommands(program, perform, io);
  addTokenCommands(program, perform);
  addEventCommands(program, perform, io);
  addIntegrationCommands(program, perform, io);
  addDeliveryCommands(program, perform);
  addDeadLetterCommands(program, perform);
  addStageCommands(program, perform, io);
  return program;
};
