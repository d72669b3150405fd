import { type Command, Option } from 'commander';
import type { DeadLetterQueue } from '../../core/delivery/dead-letters.ts';
import {
  type FoundLetter,
  type LetterChoice,
  MOST_LETTERS,
  takeLetters,
} from '../../core/delivery/redrive.ts';
import { AdministrationError } from '../../core/refusal.ts';
import { count, type Perform } from '../command.ts';
import { fields, table } from '../layout.ts';
import { DEAD_LETTER_QUEUE_NAMES, type DeadLetterQueueName } from '../stage-queues.ts';

const LIST_HELP = `
Queues: ${DEAD_LETTER_QUEUE_NAMES.join(', ')}.

To list letters is to receive them: they are hidden from others while the command runs, and are
released at its end. SQS has no pages: --limit says how many letters of each queue are looked at,
and --reason looks among these.

Examples:
  npm run admin -- dead-letters list
  npm run admin -- dead-letters list --queue deliveries --reason "missing or wrong" --limit 5000`;

const SHOW_HELP = `
The text is a customer's event or what a customer asked for: it is shown with --body alone.

Example:
  npm run admin -- dead-letters show 5fea7756-0ea4-451a-a703-a558b933e274 --queue events`;

export const queueOption = (): Option =>
  new Option('--queue <name>', 'the queue').choices(DEAD_LETTER_QUEUE_NAMES);

export const addListLetters = (letters: Command, perform: Perform): void => {
  letters
    .command('list')
    .description('list dead letters and why each is one')
    .addOption(queueOption().default(undefined, 'every queue'))
    .option('--reason <text>', 'only with this text in the reason')
    .addOption(
      new Option('--without-reason', 'only of messages with which their function died').conflicts(
        'reason',
      ),
    )
    .option('--limit <number>', 'how many of each queue to look at', count(MOST_LETTERS), 100)
    .addHelpText('after', LIST_HELP)
    .action(
      (
        { queue, limit, ...choice }: LetterChoice & { queue?: DeadLetterQueueName; limit: number },
        command: Command,
      ) =>
        perform(command, async (connection) => {
          const queues = await connection.deadLetters();
          const listed = await Promise.all(
            (queue === undefined ? await queues.names() : [queue]).map(async (name) => ({
              name,
              ...(await lettersOf(await queues.queue(name), { choice, limit })),
            })),
          );
          return {
            document: {
              queues: listed.map(({ name, letters: found, looked, count: inQueue }) => ({
                queue: name,
                count: inQueue,
                looked,
                letters: found.map(letterDocument),
              })),
            },
            lines: listed.flatMap(queueLines),
          };
        }),
    );
};

interface ListedLetters {
  readonly letters: readonly FoundLetter[];
  readonly looked: number;
  readonly count: number;
}

/** The oldest first. */
const lettersOf = async (
  queue: DeadLetterQueue,
  options: { choice: LetterChoice; limit: number },
): Promise<ListedLetters> => {
  const letters: FoundLetter[] = [];
  const { looked, count: inQueue } = await takeLetters(queue, options, async (found) => {
    letters.push(withoutText(found));
    return 'keep';
  });
  letters.sort((one, other) => one.letter.sentAt.getTime() - other.letter.sentAt.getTime());
  return { letters, looked, count: inQueue };
};

/** Of a hundred thousand letters, the texts would not fit in memory. */
const withoutText = ({ letter, facts }: FoundLetter): FoundLetter => ({
  letter: { ...letter, text: '', attributes: {} },
  facts,
});

const letterDocument = ({ letter, facts }: FoundLetter) => ({
  id: letter.id,
  sentAt: letter.sentAt.toISOString(),
  ...facts,
});

const queueLines = ({
  name,
  letters,
  looked,
  count: inQueue,
}: ListedLetters & { name: DeadLetterQueueName }): string[] =>
  looked === 0
    ? [`${name}: no dead letters.`]
    : [
        `${name}: about ${Math.max(inQueue, looked)}, looked at ${looked}, listed ${letters.length}.`,
        ...(letters.length === 0 ? [] : letterTable(letters)),
      ];

const letterTable = (found: readonly FoundLetter[]): string[] =>
  table(
    ['LETTER', 'SENT', 'ACCOUNT', 'INTEGRATION', 'EVENT', 'REASON'],
    found.map(({ letter, facts }) => [
      letter.id,
      letter.sentAt.toISOString(),
      facts.account ?? '-',
      facts.integration ?? '-',
      facts.event ?? '-',
      facts.reason ?? 'none: its function died',
    ]),
  ).map((line) => `  ${line}`);

export const addShowLetter = (letters: Command, perform: Perform): void => {
  letters
    .command('show')
    .description('show a dead letter with its attributes')
    .argument('<id>', 'id from "dead-letters list"')
    .addOption(queueOption().makeOptionMandatory())
    .option('--body', 'the text of the message, too')
    .addHelpText('after', SHOW_HELP)
    .action(
      (
        id: string,
        { queue, body }: { queue: DeadLetterQueueName; body?: true },
        command: Command,
      ) =>
        perform(command, async (connection) => {
          const letters = await (await connection.deadLetters()).queue(queue);
          let found: FoundLetter | undefined;
          await takeLetters(letters, { choice: { id }, limit: MOST_LETTERS }, async (one) => {
            found = one;
            return 'keep';
          });
          if (found === undefined) throw new AdministrationError(`${queue} has no letter ${id}.`);
          const { letter, facts } = found;
          return {
            document: {
              queue,
              id,
              sentAt: letter.sentAt.toISOString(),
              ...facts,
              attributes: letter.attributes,
              bytes: Buffer.byteLength(letter.text),
              ...(body && { body: letter.text }),
            },
            lines: [
              ...fields({
                letter: id,
                queue,
                sent: letter.sentAt.toISOString(),
                ...facts,
                bytes: String(Buffer.byteLength(letter.text)),
                ...Object.fromEntries(
                  Object.entries(letter.attributes).map(([name, { stringValue, binaryValue }]) => [
                    `attribute ${name}`,
                    stringValue ?? `${binaryValue} (base64)`,
                  ]),
                ),
              }),
              ...(body ? ['', ...letter.text.split(/\r?\n/)] : []),
            ],
          };
        }),
    );
};
