import { type Command, InvalidArgumentError } from 'commander';
import { type PlatformEvent, parseEvent, UnroutableEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { EVENT_TYPE_COUNT, EVENT_TYPES } from '../../core/event/event-types.ts';
import { parseExactJson, stringifyForQueue } from '../../core/event/exact-json.ts';
import { AdministrationError } from '../../core/refusal.ts';
import type { CommandProcess, Perform } from '../command.ts';
import { primaryAccount } from '../connection.ts';
import { fields } from '../layout.ts';

const SEND_HELP = `
Types: ${EVENT_TYPES.slice(0, 4).join(', ')},
  ${EVENT_TYPES.slice(4).join(', ')}

The event is checked and put on the events queue. Each active integration of the account that
subscribes to the event's type gets the event; if there is none, nobody does. The account must
exist and be a primary account. Without --data the event has the sample data of its type.

Examples:
  npm run admin -- events send --account acme --type message.received
  npm run admin -- events send --account acme --type contact.created \\
    --data '{"contact":{"id":"con_1","phone":"+13035550100"}}'
  npm run admin -- events send --file event.json
  npm run admin -- events send --file - < event.json

A file has a whole event:
  { "id": "evt_1", "type": "contact.created", "account": "acme",
    "occurredAt": "2026-11-20T12:00:00.000Z",
    "data": { "contact": { "id": "con_1", "phone": "+13035550100" } } }`;

interface SendOptions {
  readonly file?: string;
  readonly account?: string;
  readonly type?: string;
  readonly data?: unknown;
  readonly id?: string;
  readonly occurredAt?: string;
}

export const addEventCommands = (program: Command, perform: Perform, io: CommandProcess): void => {
  program
    .command('events')
    .description('put events on the events queue')
    .addHelpText('after', '\nExample:\n  npm run admin -- events send --file event.json')
    .command('send')
    .description('put an event on the events queue, as the platform does')
    .option('--account <name>', "the event's primary account")
    .option('--type <type>', `one of the ${EVENT_TYPE_COUNT} event types`)
    .option('--data <json>', "the event's data, an object (default: the type's sample)", jsonText)
    .option('--id <id>', "the event's id (default: a new id)")
    .option('--occurred-at <instant>', 'when the event occurred, RFC 3339 (default: now)')
    .option('--file <path>', 'a file with a whole event; - reads the standard input')
    .addHelpText('after', SEND_HELP)
    .action(({ file, ...parts }: SendOptions, command: Command) => {
      requireOneWay(file, parts, command);
      return perform(command, async (connection) => {
        const event = usableEvent(
          file === undefined ? eventText(parts, io) : await io.readText(file),
        );
        await primaryAccount(connection, event.account);
        const messageId = await (await connection.eventsQueue()).send(event);
        return {
          document: { messageId, event: event.id },
          lines: [
            `On the events queue of stage ${connection.target.stage}:`,
            ...fields({ 'message id': messageId, 'event id': event.id }),
          ],
        };
      });
    });
};

const requireOneWay = (
  file: string | undefined,
  parts: Omit<SendOptions, 'file'>,
  command: Command,
): void => {
  const given = Object.values(parts).some((part) => part !== undefined);
  if (file !== undefined && given) {
    command.error('error: --file is a whole event: give no other part of it.');
  }
  const isWhole = parts.account !== undefined && parts.type !== undefined;
  if (file === undefined && !isWhole) {
    command.error('error: give --account and --type, or a whole event with --file.');
  }
};

/** Keeps the source text of numbers: a number may have more digits than a double can hold. */
const jsonText = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    throw new InvalidArgumentError('It is not JSON.');
  }
};

const eventText = (
  { id, occurredAt, ...parts }: Omit<SendOptions, 'file'>,
  { newEventId, now }: CommandProcess,
): string =>
  stringifyForQueue({
    id: id ?? newEventId(),
    occurredAt: occurredAt ?? now().toISOString(),
    data: sampleOf(parts.type),
    ...parts,
  });

/** Empty for an unknown type, which `parseEvent` refuses. */
const sampleOf = (type: string | undefined): object => {
  const known = EVENT_TYPES.find((name) => name === type);
  return known === undefined ? {} : EVENT_CATALOGUE[known].sample;
};

const usableEvent = (text: string): PlatformEvent => {
  try {
    return parseEvent(text);
  } catch (fault) {
    if (!(fault instanceof UnroutableEvent)) throw fault;
    throw new AdministrationError(`The event cannot be routed: ${fault.message}.`);
  }
};
