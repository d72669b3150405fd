import { Command, type CommanderError, InvalidArgumentError } from 'commander';
import { STATE_DIRECTORY } from './endpoints-file.ts';

export interface StartOptions {
  readonly port: number;
  readonly awsPort: number;
  readonly consolePort: number;
  /** For every user of the console. By default each has a random password. */
  readonly consolePassword?: string;
  readonly playgroundPort: number;
  readonly platformPort: number;
  /** The origin of a page, beside that of the platform, that may show the console in a frame. */
  readonly embedIn?: string;
  readonly hourSeconds: number;
  readonly stateDirectory: string;
}

const HELP = `
Runs the whole service on this machine, from the CloudFormation template that is deployed: its
API, queues, tables, functions and schedules, and the web console. It sends nothing to other
machines. When it stops, only certificates and logs remain, in .local/.

Prints all addresses and access tokens, and writes them to .local/endpoints.json.
The mailbox, a page beside the console, shows the e-mails of the service.
The platform is a page of another origin, which shows the console embedded.
The playground has HTTPS endpoints for webhooks: you set their answers and read their requests.
docs/getting-started.md uses the playground; GET / on it lists what it can do.

Examples:
  npm start
  npm start -- --port 4001 --aws-port 4567
  npm start -- --hour-seconds 60`;

/** Throws `CommanderError` when the command must not run, after its message was printed. */
export const readStartOptions = (words: readonly string[]): StartOptions => {
  const command = new Command('npm start --')
    .description('Runs the integrations service on this machine, with a demonstration.')
    .option('--port <number>', 'port of the API; 0 takes any free port', port, 4_000)
    .option('--aws-port <number>', 'port of the AWS endpoint; 0 takes any free port', port, 4_566)
    .option(
      '--console-port <number>',
      'port of the web console; 0 takes any free port',
      port,
      4_080,
    )
    .option(
      '--console-password <text>',
      'for all users of the console; random by default',
      password,
    )
    .option(
      '--playground-port <number>',
      'port of the playground; 0 takes any free port',
      port,
      4_443,
    )
    .option(
      '--platform-port <number>',
      'port of a platform that embeds the web console; 0 takes any free port',
      port,
      4_090,
    )
    .option(
      '--embed-in <origin>',
      'of a page of your own that shows the web console in a frame',
      origin,
    )
    .option(
      '--hour-seconds <number>',
      'length of an hour: of hourly retries, and of delays after a 504',
      seconds,
      3_600,
    )
    .option(
      '--state-directory <path>',
      'for certificates, logs and endpoints.json',
      STATE_DIRECTORY,
    )
    .addHelpText('after', HELP)
    .exitOverride()
    .parse(words, { from: 'user' });
  return command.opts<StartOptions>();
};

/** 0 after a request for help, 2 for an invalid command line. */
export const exitCodeOf = ({ exitCode }: CommanderError): number => (exitCode === 0 ? 0 : 2);

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

const port = (text: string): number => {
  const number = wholeNumber(text);
  if (number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
};

const seconds = (text: string): number => {
  const number = wholeNumber(text);
  if (number >= 1) return number;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
};

const origin = (text: string): string => {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new InvalidArgumentError('It must be an origin, such as http://localhost:3000.');
};

const password = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('It cannot be empty.');
};
