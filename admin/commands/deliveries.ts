import type { Command } from 'commander';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { DeliveryPage, LoggedDelivery } from '../../core/delivery/delivery-log-reader.ts';
import type { DeliveryDetails } from '../../core/delivery/reading/read-deliveries.ts';
import {
  presentAttempt,
  presentDelivery,
  presentDeliveryDetails,
} from '../../core/delivery/resources/delivery-resource.ts';
import type { Perform } from '../command.ts';
import { primaryAccount } from '../connection.ts';
import { fields, table } from '../layout.ts';

const SHOW_HELP = `
A delivery is an event for an integration. It is in the delivery log once it is attempted or
pending, and for 30 days. What was sent and what the endpoint answered belong to the customer:
--body shows them.

Example:
  npm run admin -- deliveries show evt_01 --integration 8Fq2LmZ0aBcD --account acme`;

const FIND_HELP = `
The id is that of an event, or that in the data of a message, contact or call. The newest 100
deliveries are shown, of the integrations that the account has now. A delivery can be found by the id of
its message about a minute after it is logged.

Example:
  npm run admin -- deliveries find msg_1 --account acme`;

interface ShowOptions {
  readonly account: string;
  readonly integration: string;
  readonly body?: true;
}

export const addDeliveryCommands = (program: Command, perform: Perform): void => {
  const deliveries = program
    .command('deliveries')
    .description('show what became of an event')
    .addHelpText('after', SHOW_HELP);
  deliveries
    .command('show')
    .description('show a delivery and its attempts')
    .argument('<event>', "the event's id")
    .requiredOption('--integration <id>', "the integration's id: 12 letters and digits")
    .requiredOption('--account <name>', 'the primary account that has the integration')
    .option('--body', 'the body, too, and the answers of the endpoint')
    .addHelpText('after', SHOW_HELP)
    .action((eventId: string, { account, integration, body }: ShowOptions, command: Command) =>
      perform(command, async (connection) => {
        const { getDelivery } = await connection.overview();
        const details = await getDelivery({ account, id: integration, eventId });
        return {
          document: deliveryDocument(details, body === true),
          lines: [...deliveryLines(details), ...(body ? ['', details.body ?? 'No body.'] : [])],
        };
      }),
    );
  addFind(deliveries, perform);
};

const MOST_FOUND = 100;

const addFind = (deliveries: Command, perform: Perform): void => {
  deliveries
    .command('find')
    .description('find deliveries by the id of an event, message, contact or call')
    .argument('<id>', 'the id')
    .requiredOption('--account <name>', 'the primary account')
    .addHelpText('after', FIND_HELP)
    .action((about: string, { account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        await primaryAccount(connection, account);
        const { searchDeliveries } = await connection.overview();
        const found: LoggedDelivery[] = [];
        let after: DeliveryPage['next'];
        do {
          const limit = MOST_FOUND - found.length;
          const page = await searchDeliveries({ account, about, filter: {}, limit, after });
          found.push(...page.deliveries);
          after = page.next;
        } while (after !== undefined && found.length < MOST_FOUND);
        const isMore = after !== undefined;
        return {
          document: { deliveries: found.map(foundDocument), isMore },
          lines: [...foundTable(found), ...(isMore ? ['There may be more.'] : [])],
        };
      }),
    );
};

const foundDocument = (delivery: LoggedDelivery) => {
  const {
    '@context': _,
    '@type': __,
    id: ___,
    latestAttempt,
    ...shown
  } = presentDelivery(delivery);
  return {
    ...shown,
    integration: delivery.integration,
    event: delivery.event.id,
    latestAttempt: attemptDocument(delivery.latestAttempt),
  };
};

const foundTable = (found: readonly LoggedDelivery[]): string[] =>
  table(
    ['INTEGRATION', 'EVENT', 'TYPE', 'OCCURRED', 'DELIVERED', 'LATEST ATTEMPT'],
    found.map(({ integration, event, deliveredAt, latestAttempt }) => [
      integration,
      event.id,
      event.type,
      event.occurredAt,
      deliveredAt === undefined ? 'no' : 'yes',
      attemptText(latestAttempt),
    ]),
    'No deliveries of the last 30 days.',
  );

const deliveryDocument = (details: DeliveryDetails, withBody: boolean) => {
  const { account, integration, event } = details.delivery;
  const { '@context': _, '@type': __, id: ___, body, ...rest } = presentDeliveryDetails(details);
  return {
    ...rest,
    account,
    integration,
    event: event.id,
    attempts: rest.attempts.map(({ '@type': _type, response, ...attempt }) => ({
      ...attempt,
      ...(withBody && response !== undefined && { response }),
    })),
    ...(withBody && body !== undefined && { body }),
  };
};

const deliveryLines = (details: DeliveryDetails): string[] => {
  const { delivery, isPending, isSetAside, body, attempts } = details;
  const { outcome = 'not attempted', deliveredAt } = presentDeliveryDetails(details);
  return [
    ...fields({
      event: delivery.event.id,
      type: delivery.event.type,
      occurred: delivery.event.occurredAt,
      integration: delivery.integration,
      account: delivery.account,
      outcome,
      delivered: deliveredAt ?? 'no',
      pending: isPending ? 'yes' : 'no',
      'set aside': isSetAside ? 'yes' : 'no',
      'body kept': body === undefined ? 'no' : `yes, ${Buffer.byteLength(body)} bytes`,
    }),
    '',
    ...table(
      ['ATTEMPT', 'TRIGGER', 'MS', 'STARTED, CAME TO'],
      attempts.map((attempt) => [
        String(attempt.number),
        attempt.trigger,
        String(attempt.durationMs),
        attemptText(attempt),
      ]),
    ),
  ];
};

/** The outcome of an attempt on one line: `2026-11-20T12:00:01.000Z  fatal 500`. */
export const attemptText = (attempt: Attempt | undefined): string => {
  if (attempt === undefined) return 'not attempted';
  const { startedAt, outcome } = attempt;
  const { result } = outcome;
  const came = result.kind === 'answered' ? String(result.statusCode) : result.reason;
  return `${startedAt.toISOString()}  ${outcome.class} ${came}`;
};

/** An attempt as `--json` prints it: as the API shows it, without the endpoint's response. */
export const attemptDocument = (attempt: Attempt | undefined) => {
  if (attempt === undefined) return undefined;
  const { '@type': _, response: __, ...shown } = presentAttempt(attempt);
  return shown;
};
