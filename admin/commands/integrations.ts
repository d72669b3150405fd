import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PendingCount } from '../../core/delivery/pending/pending-view.ts';
import type {
  IntegrationSelection,
  ListedIntegration,
  ObservedIntegration,
} from '../../core/delivery/reading/observe-integrations.ts';
import { settingsIn } from '../../core/integration/found-settings.ts';
import {
  INTEGRATION_STATUSES,
  type IntegrationKey,
  type IntegrationStatus,
  statusOf,
} from '../../core/integration/integration.ts';
import { presentIntegration } from '../../core/integration/integration-resource.ts';
import { shownAddress } from '../../core/integration/shown-address.ts';
import { type CommandProcess, count, type Perform } from '../command.ts';
import { primaryAccount } from '../connection.ts';
import { fields, table } from '../layout.ts';
import { attemptDocument, attemptText } from './deliveries.ts';
import { addIntegrationChanges } from './integration-changes.ts';
import { addIntegrationImport } from './integration-import.ts';

const LIST_HELP = `
PENDING counts up to 100 for each integration. SINCE is when an integration became busy or failed, or
when events began to wait for a replay. LATEST is the latest answer of its endpoint.

With --all, the command reads the whole table of integrations: 128 read units for about a thousand
of them, and a hundredth of a cent for 20,000. Without --all, it reads one account's.

Examples:
  npm run admin -- integrations list --account acme
  npm run admin -- integrations list --all --status failed
  npm run admin -- integrations list --all --limit 1000 --json`;

const SHOW_HELP = `
Pending events are counted up to 10,000. Secrets are not shown, nor are the path and query of the
address, which may hold one. "deliveries show" tells of one delivery.

Example:
  npm run admin -- integrations show 8Fq2LmZ0aBcD --account acme`;

interface ListOptions {
  readonly account?: string;
  readonly all?: true;
  readonly status?: IntegrationStatus;
  readonly limit: number;
  readonly after?: IntegrationKey;
}

export const addIntegrationCommands = (
  program: Command,
  perform: Perform,
  io: CommandProcess,
): void => {
  const { now } = io;
  const integrations = program
    .command('integrations')
    .description("show and change customers' integrations")
    .addHelpText('after', '\nExample:\n  npm run admin -- integrations list --account acme');
  integrations
    .command('list')
    .description('list the integrations of an account, or of all')
    .option('--account <name>', 'a primary account')
    .option('--all', 'of all accounts: reads the whole table')
    .addOption(new Option('--status <status>', 'only of this status').choices(INTEGRATION_STATUSES))
    .addOption(
      new Option('--limit <number>', 'with --all: how many at the most')
        .argParser(count(1_000))
        .default(100)
        .conflicts('account'),
    )
    .addOption(
      new Option('--after <place>', 'with --all: the "next" of the page before')
        .argParser(place)
        .conflicts('account'),
    )
    .addHelpText('after', LIST_HELP)
    .action((options: ListOptions, command: Command) => {
      const selection = selectionOf(options, command);
      return perform(command, async (connection) => {
        if ('account' in selection) await primaryAccount(connection, selection.account);
        const { listIntegrations } = await connection.overview();
        const { listed, next } = await listIntegrations(selection, options.status);
        return {
          document: {
            integrations: listed.map((one) => listedDocument(one, now())),
            ...(next && { next: placeText(next) }),
          },
          lines: [
            ...listedTable(listed, 'all' in selection),
            ...(next ? [`More: add --after ${placeText(next)}`] : []),
          ],
        };
      });
    });
  integrations
    .command('show')
    .description('show an integration, what waits for it, and what it refused last')
    .argument('<id>', "the integration's id: 12 letters and digits")
    .requiredOption('--account <name>', 'the primary account that has it')
    .addHelpText('after', SHOW_HELP)
    .action((id: string, { account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        const { showIntegration } = await connection.overview();
        const observed = await showIntegration({ account, id });
        return {
          document: observedDocument(observed, now()),
          lines: observedLines(observed),
        };
      }),
    );
  addIntegrationChanges(integrations, perform);
  addIntegrationImport(integrations, perform, io);
};

const place = (text: string): IntegrationKey => {
  const [, account, id] = /^([^/]+)\/([0-9A-Za-z]{12})$/.exec(text) ?? [];
  if (account !== undefined && id !== undefined) return { account, id };
  throw new InvalidArgumentError('It must be an account and an id, such as acme/8Fq2LmZ0aBcD.');
};

const placeText = ({ account, id }: IntegrationKey): string => `${account}/${id}`;

const selectionOf = (
  { account, all, limit, after }: ListOptions,
  command: Command,
): IntegrationSelection => {
  if ((account === undefined) === (all === undefined)) {
    command.error('error: give either --account or --all.');
  }
  return account === undefined ? { all: { limit, after } } : { account };
};

const listedDocument = ({ integration, pending }: ListedIntegration, now: Date) => {
  const { '@context': _, '@type': __, id: ___, ...shown } = presentIntegration(integration, now);
  const { account, id, trouble, slowness } = integration;
  const baseUrl = shownAddress(integration.config.baseUrl);
  return {
    account,
    id,
    ...shown,
    config: { ...shown.config, baseUrl },
    ...(trouble && { trouble }),
    ...(slowness && { slowness }),
    pendingEvents: pending,
  };
};

const observedDocument = (observed: ObservedIntegration, now: Date) => ({
  ...listedDocument(observed, now),
  ...(observed.oldestPending && { oldestPendingEvent: observed.oldestPending.event }),
  ...(observed.undelivered && {
    latestUndelivered: {
      event: observed.undelivered.event,
      attempt: attemptDocument(observed.undelivered.latestAttempt),
    },
  }),
});

const countText = ({ count: counted, isExact }: PendingCount): string =>
  `${counted}${isExact ? '' : '+'}`;

const listedTable = (listed: readonly ListedIntegration[], withAccount: boolean): string[] =>
  table(
    [
      ...(withAccount ? ['ACCOUNT'] : []),
      ...['INTEGRATION', 'STATUS', 'SINCE', 'LATEST', 'PENDING', 'SET ASIDE', 'ADDRESS'],
      'DESCRIPTION',
    ],
    listed.map(({ integration, pending }) => [
      ...(withAccount ? [integration.account] : []),
      integration.id,
      statusOf(integration),
      integration.trouble?.since ?? '-',
      String(integration.trouble?.statusCode ?? integration.trouble?.reason ?? '-'),
      countText(pending),
      String(Math.max(0, integration.setAside ?? 0)),
      shownAddress(integration.config.baseUrl),
      integration.description ?? '-',
    ]),
    'No integrations.',
  );

const observedLines = (observed: ObservedIntegration): string[] => {
  const { integration, pending, oldestPending, undelivered } = observed;
  const { description, trouble } = integration;
  const headers = Object.keys(integration.config.headers ?? {});
  const types = Object.entries(integration.settings.actions).flatMap(([type, isSent]) =>
    isSent ? [type] : [],
  );
  return fields({
    integration: integration.id,
    account: integration.account,
    status: statusOf(integration),
    ...(description !== undefined && { description }),
    address: shownAddress(integration.config.baseUrl),
    ...(headers.length > 0 && { headers: headers.join(', ') }),
    'event types': types.join(', ') || 'none',
    ...Object.fromEntries(
      settingsIn(integration).flatMap(({ path, value }) =>
        path.startsWith('settings.') && path !== 'settings.actions' ? [[path, String(value)]] : [],
      ),
    ),
    ...(trouble && {
      since: trouble.since,
      'latest attempt': `${trouble.lastAttemptAt}  ${trouble.statusCode ?? trouble.reason ?? ''}`,
      'next attempt': trouble.nextAttemptAt,
    }),
    ...(integration.slowness && {
      slowness: `${integration.slowness.score}  at ${integration.slowness.notedAt}`,
    }),
    pending: countText(pending),
    ...(oldestPending && {
      'oldest pending': `${oldestPending.event.id}  of ${oldestPending.event.occurredAt}`,
    }),
    'set aside': String(Math.max(0, integration.setAside ?? 0)),
    ...(undelivered && {
      'not delivered': `${undelivered.event.id}  ${attemptText(undelivered.latestAttempt)}`,
    }),
    created: integration.createdAt,
    changed: integration.updatedAt,
  });
};
