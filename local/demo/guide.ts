import { dirname, relative } from 'node:path';
import { LINK_PATH } from '../console/console-link.ts';
import { MAILBOX_PATH, standing } from '../console/pages.ts';
import type { Endpoints } from '../endpoints-file.ts';
import type { Showcase } from './showcase.ts';
import type { Terminal } from './terminal.ts';

interface GuideOptions {
  readonly file: string;
  readonly script: string;
  readonly showcase: Showcase;
  readonly terminal: Terminal;
}

export type StartEndpoints = Endpoints &
  Required<Pick<Endpoints, 'console' | 'consoleUsers' | 'platformPage' | 'playground'>>;

export const printWelcome = (
  { console: origin, consoleUsers }: Pick<StartEndpoints, 'console' | 'consoleUsers'>,
  terminal: Terminal,
): void => {
  terminal.print(`Open ${terminal.bold(origin)} and sign in as:\n`);
  for (const { username, password, account, role } of consoleUsers) {
    const names = `${terminal.bold(username)}  ${terminal.bold(password)}`;
    terminal.print(`  ${names}  ${standing({ account, role })}`);
  }
  terminal.print(
    `\nOr open ${terminal.bold(origin + LINK_PATH)}, as a platform opens it for its own users.`,
  );
  terminal.print();
};

export const printGuide = (
  endpoints: StartEndpoints,
  { file, script, showcase, terminal }: GuideOptions,
): void => {
  const signIns = endpoints.consoleUsers.map(({ username, password }) => `${username} ${password}`);
  const rows = [
    ['Console', `${endpoints.console} (${signIns.join(', ')})`],
    ['Embedded', `${endpoints.platformPage}, the console in a page of a platform of its own`],
    ['Mailbox', `${endpoints.console}${MAILBOX_PATH}, the e-mails of the service`],
    ['API', endpoints.api],
    ['Playground', `${endpoints.playground}, for webhooks and events (curl --cacert <authority>)`],
    ['AWS endpoint', `${endpoints.aws} (${endpoints.region}, any credentials)`],
    ['Events queue', endpoints.eventsQueueUrl],
    ['Account, user', `${endpoints.account}, ${endpoints.user}`],
    ['Admin token', endpoints.adminToken],
    ['Member token', endpoints.memberToken],
    ['Authority', endpoints.caFile],
    ['Certificate', `${endpoints.certFile} and its key, for receivers of your own`],
    ['All of this', `${relative('', file)} (functions log to ${relative('', dirname(file))}/logs)`],
  ] as const;
  terminal.print();
  for (const [name, value] of rows) terminal.print(`  ${terminal.bold(name.padEnd(15))}${value}`);
  terminal.print();
  terminal.print(terminal.dim('  To try:'));
  terminal.print(`  ${getLine(endpoints, `/users/${endpoints.user}/signature`)}`);
  terminal.print(`  ${getLine(endpoints, showcase.working.integration)}`);
  terminal.print(`  ${repairLine(endpoints, showcase.failing.url)}`);
  terminal.print(`  . ${relative('', script)}`);
  terminal.print(
    terminal.dim(
      '  The last line sets the variables for docs/getting-started.md, the tutorial for integrators.',
    ),
  );
  terminal.print();
};

const getLine = ({ api, memberToken }: Endpoints, path: string): string =>
  `curl -i ${api}${path} -H 'Authorization: Bearer ${memberToken}'`;

const repairLine = ({ caFile }: Endpoints, url: string): string =>
  `curl --cacert ${quoted(caFile)} ${url}/answer -X PUT -d 204`;

export const playgroundScript = (stateDirectory: string): string =>
  `${stateDirectory}/playground.sh`;

/** A script for a shell to source: the variables that the steps of docs/getting-started.md use. */
export const playgroundScriptText = ({
  adminToken,
  api,
  caFile,
  playground,
}: Pick<StartEndpoints, 'adminToken' | 'api' | 'caFile' | 'playground'>): string =>
  [
    '# Variables for the service that npm start runs on this machine.',
    `export API=${quoted(api)}`,
    `export TOKEN=${quoted(adminToken)}`,
    `export PLAYGROUND=${quoted(playground)}`,
    `export CA=${quoted(caFile)}`,
    '',
  ].join('\n');

/** The text as one word of a shell, with any character in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
