import { dirname, relative } from 'node:path';
import type { Endpoints } from '../endpoints-file.ts';
import type { Terminal } from './terminal.ts';

interface GuideOptions {
  /** Path of endpoints.json. */
  readonly file: string;
  /** Path of the script that sets a shell's variables for the playground. */
  readonly script: string;
  readonly integration: string | undefined;
  readonly terminal: Terminal;
}

/** Prints the addresses, names and tokens of the run, and three lines to paste. */
export const printGuide = (
  endpoints: Endpoints & { readonly playground: string },
  { file, script, integration, terminal }: GuideOptions,
): void => {
  const rows = [
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
  terminal.print(
    `  ${integration === undefined ? registerLine(endpoints) : getLine(endpoints, integration)}`,
  );
  terminal.print(`  . ${relative('', script)}`);
  terminal.print(
    terminal.dim(
      '  The last line sets the variables for docs/ten-minutes.md, the tour for integrators.',
    ),
  );
  terminal.print();
};

const getLine = ({ api, memberToken }: Endpoints, path: string): string =>
  `curl -i ${api}${path} -H 'Authorization: Bearer ${memberToken}'`;

/** Registers an endpoint of the caller, which need not run yet. */
const registerLine = ({ api, account, adminToken }: Endpoints): string => {
  const document = {
    active: true,
    provider: 'webhook',
    config: { baseUrl: 'https://localhost:8443/webhooks' },
    settings: {},
  };
  return (
    `curl -i ${api}/${account}/integrations -H 'Authorization: Bearer ${adminToken}' ` +
    `-H 'Content-Type: application/vnd.service+jsonld' -d '${JSON.stringify(document)}'`
  );
};
