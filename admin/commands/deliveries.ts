import type { Command } from 'commander';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { DeliveryDetails } from '../../core/delivery/reading/read-deliveries.ts';
import {
  presentAttempt,
  presentDeliveryDetails,
} from '../../core/delivery/resources/delivery-resource.ts';
import type { Perform } from '../command.ts';
import { fields, table } from '../layout.ts';

const SHOW_HELP = `
A delivery is an event for an integration. It is in the delivery log once it is attempted or
pending, and for 30 days. What was sent and what the endpoint answered belong to the customer:
--body shows them.

Example:
  npm run admin -- deliveries show evt_01 --integration 8Fq2LmZ0aBcD --account acme`;

interface ShowOptions {
  readonly account: string;
  readonly integration: string;
  readonly body?: true;
}

export const addDeliveryCommands = (program: Command, perform: Perform): void => {
  program
    .command('deliveries')
    .description('show what became of an event')
    .addHelpText('after', SHOW_HELP)
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
};

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
