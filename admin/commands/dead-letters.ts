import { type Command, Option } from 'commander';
import type { DeadLetterQueue } from '../../core/delivery/dead-letters.ts';
import { type FoundLetter, MOST_LETTERS, readLetters } from '../../core/delivery/read-letters.ts';
import { count, type Perform } from '../command.ts';
import type { Connection } from '../connection.ts';
import { table } from '../layout.ts';
import { DEAD_LETTER_QUEUE_NAMES, type DeadLetterQueueName } from '../stage-queues.ts';

const LIST_HELP = `
Queues: ${DEAD_LETTER_QUEUE_NAMES.join(', ')}.

To list letters is to receive them: they are hidden from others while the command runs, and are
released at its end. SQS has no pages: --limit says how many letters of each queue are looked at,
and --reason looks among these. docs/operators/on-call.md has the commands of AWS that show, move and
purge them.

Examples:
  npm run admin -- dead-letters list
  npm run admin -- dead-letters list --queue deliveries --reason "missing or wrong" --limit 5000`;

interface LetterChoice {
  readonly reason?: string;
  readonly withoutReason?: true;
}

interface ListOptions extends LetterChoice {
  readonly queue?: DeadLetterQueueName;
  readonly limit: number;
}

export const addDeadLetterCommands = (program: Command, perform: Perform): void => {
  program
    .command('dead-letters')
    .description('list dead letters')
    .addHelpText('after', '\nExample:\n  npm run admin -- dead-letters list')
    .command('list')
    .description('list dead letters and why each is one')
    .addOption(
      new Option('--queue <name>', 'the queue')
        .choices(DEAD_LETTER_QUEUE_NAMES)
        .default(undefined, 'every queue'),
    )
    .option('--reason <text>', 'only with this text in the reason')
    .addOption(
      new Option('--without-reason', 'only of messages with which their function died').conflicts(
        'reason',
      ),
    )
    .option('--limit <number>', 'how many of each queue to look at', count(MOST_LETTERS), 100)
    .addHelpText('after', LIST_HELP)
    .action((options: ListOptions, command: Command) =>
      perform(command, async (connection) => {
        const listed = await listLetters(options, connection);
        return {
          document: { queues: listed.map(queueDocument) },
          lines: listed.flatMap(queueLines),
        };
      }),
    );
};

interface ListedQueue {
  readonly name: DeadLetterQueueName;
  readonly letters: readonly FoundLetter[];
  readonly looked: number;
  readonly count: number;
}

const listLetters = async (
  { queue, limit, ...choice }: ListOptions,
  connection: Connection,
): Promise<readonly ListedQueue[]> => {
  const queues = await connection.deadLetters();
  const names = queue === undefined ? await queues.names() : [queue];
  return Promise.all(
    names.map(async (name) => ({
      name,
      ...(await lettersOf(await queues.queue(name), limit, choice)),
    })),
  );
};

/** The oldest first. */
const lettersOf = async (queue: DeadLetterQueue, limit: number, choice: LetterChoice) => {
  const letters: FoundLetter[] = [];
  const read = await readLetters(queue, limit, (found) => {
    if (isChosen(found, choice)) letters.push(withoutText(found));
    return 'keep';
  });
  letters.sort((one, other) => one.letter.sentAt.getTime() - other.letter.sentAt.getTime());
  return { letters, ...read };
};

const isChosen = ({ facts }: FoundLetter, { reason, withoutReason }: LetterChoice): boolean =>
  (reason === undefined || facts.reason?.includes(reason) === true) &&
  (withoutReason !== true || facts.reason === undefined);

/** Of a hundred thousand letters, the texts would not fit in memory. */
const withoutText = ({ letter, facts }: FoundLetter): FoundLetter => ({
  letter: { ...letter, text: '', attributes: {} },
  facts,
});

const queueDocument = ({ name, letters, looked, count: inQueue }: ListedQueue) => ({
  queue: name,
  count: inQueue,
  looked,
  letters: letters.map(({ letter, facts }) => ({
    id: letter.id,
    sentAt: letter.sentAt.toISOString(),
    ...facts,
  })),
});

const queueLines = ({ name, letters, looked, count: inQueue }: ListedQueue): string[] =>
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

/** Removes the letters of accounts from all queues of the stage. Resolves to their number. */
export const dropLettersOf = async (
  accounts: readonly string[],
  connection: Connection,
): Promise<number> => {
  const queues = await connection.deadLetters();
  let dropped = 0;
  for (const name of await queues.names()) {
    await readLetters(await queues.queue(name), MOST_LETTERS, ({ facts: { account = '' } }) => {
      if (!accounts.includes(account)) return 'keep';
      dropped += 1;
      return 'remove';
    });
  }
  return dropped;
};
