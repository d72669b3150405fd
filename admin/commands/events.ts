import { type Command, InvalidArgumentError } from 'commander';
import { AdministrationError } from '../../core/directory/administration-error.ts';
import { type PlatformEvent, parseEvent, UnroutableEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE, EVENT_TYPE_COUNT, EVENT_TYPES } from '../../core/event/event-types.ts';
import { parseExactJson, stringifyForQueue } from '../../core/event/exact-json.ts';
import type { CommandProcess, Perform } from '../command.ts';
import { fields } from '../layout.ts';

const SEND_HELP = `
Types: ${EVENT_TYPES.slice(0, 4).join(', ')},
  ${EVENT_TYPES.slice(4).join(', ')}

The event is checked, then put on the events queue: each active integration of its account that
subscribes to its type gets it. An event for an account without one reaches nobody. The account
is the primary one. Without --data the event carries a sample of its type's data.

Examples:
  npm run admin -- events send --account acme --type message.received
  npm run admin -- events send --account acme --type contact.created \\
    --data '{"contact":{"id":"con_1","phone":"+13035550100"}}'
  npm run admin -- events send --file event.json
  npm run admin -- events send --file - < event.json

A whole event, as a file has it:
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
    .option('--account <name>', 'the account it happened in')
    .option('--type <type>', `one of the ${EVENT_TYPE_COUNT} event types`)
    .option('--data <json>', 'an object, passed on as it is (default: a sample)', jsonText)
    .option('--id <id>', 'its id (default: a new one)')
    .option('--occurred-at <instant>', 'when it happened, RFC 3339 (default: now)')
    .option('--file <path>', 'a whole event instead; - reads the standard input')
    .addHelpText('after', SEND_HELP)
    .action(({ file, ...parts }: SendOptions, command: Command) => {
      requireOneWay(file, parts, command);
      return perform(command, async (connection) => {
        const event = usableEvent(
          file === undefined ? eventText(parts, io) : await io.readText(file),
        );
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

/** Kept as text would be: the numbers in it may be longer than a double holds. */
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

/** A type that does not exist has none, and is refused for itself. */
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
