import { dirname, relative } from 'node:path';
import type { Endpoints } from '../endpoints-file.ts';
import type { Terminal } from './terminal.ts';

/** Where everything is, and two lines to paste. */
export const printGuide = (
  endpoints: Endpoints,
  options: { file: string; integration: string | undefined; terminal: Terminal },
): void => {
  const { file, integration, terminal } = options;
  const rows = [
    ['API', endpoints.api],
    ['AWS endpoint', `${endpoints.aws} (${endpoints.region}, any credentials)`],
    ['Events queue', endpoints.eventsQueueUrl],
    ['Account, user', `${endpoints.account}, ${endpoints.user}`],
    ['Admin token', endpoints.adminToken],
    ['Member token', endpoints.memberToken],
    ['Certificates', `${endpoints.certFile} and its key, for receivers of your own`],
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
  terminal.print();
};

const getLine = ({ api, memberToken }: Endpoints, path: string): string =>
  `curl -i ${api}${path} -H 'Authorization: Bearer ${memberToken}'`;

/** An endpoint of the caller's own, which need not be up yet. */
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
