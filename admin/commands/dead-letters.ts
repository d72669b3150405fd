import type { Command } from 'commander';
import {
  dropLetters,
  type FoundLetter,
  type LetterChoice,
  MOST_LETTERS,
  redriveLetters,
  TakingFailed,
} from '../../core/delivery/redrive.ts';
import { AdministrationError } from '../../core/refusal.ts';
import { type CommandProcess, count, type Perform } from '../command.ts';
import type { Connection } from '../connection.ts';
import { type DeadLetterQueueName, isWorkQueue } from '../stage-queues.ts';
import { addListLetters, addShowLetter, queueOption } from './dead-letters-shown.ts';

const REDRIVE_HELP = `
Puts letters back on the queue that they came from, with all their attributes, once their reader is
repaired. A letter is sent before it is removed, so none is lost; if the command dies, a letter may be
in both queues, and what was delivered by then is dropped. Letters that are older than their account
stay: a removed account of the same name has left them. A letter that still cannot be read comes
back as a new letter, and is not taken again by the same command. Name --id, --reason,
--without-reason or --all.

Examples:
  npm run admin -- dead-letters redrive --queue deliveries --reason "missing or wrong"
  npm run admin -- dead-letters redrive --queue events --all`;

const DROP_HELP = `
Removes letters for good, after it has asked; --yes answers. Name --id, --reason, --without-reason or
--all.

Example:
  npm run admin -- dead-letters drop --queue retries --all --yes`;

interface ChoiceOptions {
  readonly id?: string;
  readonly reason?: string;
  readonly withoutReason?: true;
  readonly all?: true;
}

export const addDeadLetterCommands = (
  program: Command,
  perform: Perform,
  io: CommandProcess,
): void => {
  const letters = program
    .command('dead-letters')
    .description('list, show, redrive and drop dead letters')
    .addHelpText('after', '\nExample:\n  npm run admin -- dead-letters list');
  addListLetters(letters, perform);
  addShowLetter(letters, perform);
  addRedrive(letters, perform);
  addDrop(letters, perform, io);
};

/** A command that takes selected letters out of one queue. */
const takingCommand = (letters: Command, name: string, description: string): Command =>
  letters
    .command(name)
    .description(description)
    .addOption(queueOption().makeOptionMandatory())
    .option('--id <id>', 'the letter of this id')
    .option('--reason <text>', 'letters with this text in the reason')
    .option('--without-reason', 'letters of messages with which their function died')
    .option('--all', 'every letter that is in the queue now')
    .option('--limit <number>', 'how many letters to look at', count(MOST_LETTERS), MOST_LETTERS);

type TakingOptions = ChoiceOptions & {
  readonly queue: DeadLetterQueueName;
  readonly limit: number;
};

const choiceOf = (
  { id, reason, withoutReason, all }: ChoiceOptions,
  command: Command,
): LetterChoice => {
  const given = [id, reason, withoutReason, all].filter((option) => option !== undefined);
  if (given.length !== 1) {
    command.error('error: give one of --id, --reason, --without-reason and --all.');
  }
  return { id, reason, withoutReason };
};

const addRedrive = (letters: Command, perform: Perform): void => {
  takingCommand(letters, 'redrive', 'put dead letters back on their queue')
    .addHelpText('after', REDRIVE_HELP)
    .action(({ queue, limit, ...options }: TakingOptions, command: Command) => {
      const choice = choiceOf(options, command);
      if (!isWorkQueue(queue)) {
        command.error(`error: letters of ${queue} are reports, which no queue takes: drop them.`);
      }
      return perform(command, async (connection) => {
        const queues = await connection.deadLetters();
        const [from, to] = [await queues.queue(queue), await queues.target(queue)];
        const createdAt = await accountsOnce(connection);
        let leftOut = 0;
        const only = async ({ letter, facts: { account } }: FoundLetter): Promise<boolean> => {
          const since = account === undefined ? undefined : await createdAt(account);
          const isOlder = since !== undefined && letter.sentAt < new Date(since);
          if (isOlder) leftOut += 1;
          return !isOlder;
        };
        const work = redriveLetters(from, to, { choice, limit, only });
        const { found, ...rest } = await reporting('Redriven', work);
        const older = leftOut === 0 ? '' : ` Left out as older than their account: ${leftOut}.`;
        return {
          document: { queue, redriven: found, ...rest, leftOut },
          lines: [`Redriven: ${found} of ${rest.looked} letters of ${queue}.${older}`],
        };
      });
    });
};

/** When accounts were created. Reads each account once. */
const accountsOnce = async (connection: Connection) => {
  const administration = await connection.administration();
  const reads = new Map<string, Promise<string | undefined>>();
  return (name: string): Promise<string | undefined> => {
    const read = reads.get(name) ?? administration.accountCreatedAt(name);
    reads.set(name, read);
    return read;
  };
};

const addDrop = (letters: Command, perform: Perform, { confirm }: CommandProcess): void => {
  takingCommand(letters, 'drop', 'remove dead letters for good')
    .option('--yes', 'do not ask')
    .addHelpText('after', DROP_HELP)
    .action(
      ({ queue, limit, yes, ...options }: TakingOptions & { yes?: true }, command: Command) => {
        const choice = choiceOf(options, command);
        return perform(command, async (connection) => {
          const from = await (await connection.deadLetters()).queue(queue);
          const { stage } = connection.target;
          const isSure =
            yes ??
            (await confirm(
              `Remove ${choiceText(choice)} of about ${await from.count()} from ${queue} of stage ${stage} for good?`,
            ));
          if (!isSure) {
            throw new AdministrationError('Nothing was removed: say yes, or give --yes.');
          }
          const work = dropLetters(from, { choice, limit });
          const { found, ...rest } = await reporting('Removed', work);
          return {
            document: { queue, dropped: found, ...rest },
            lines: [`Removed: ${found} of ${rest.looked} letters of ${queue}.`],
          };
        });
      },
    );
};

const choiceText = ({ id, reason, withoutReason }: LetterChoice): string => {
  if (id !== undefined) return `letter ${id}`;
  if (reason !== undefined) return `the letters with "${reason}"`;
  return withoutReason ? 'the letters without a reason' : 'all letters';
};

/** Drops the letters of accounts from all queues of the stage. Resolves to their number. */
export const dropLettersOf = async (
  accounts: readonly string[],
  connection: Connection,
): Promise<number> => {
  const queues = await connection.deadLetters();
  let dropped = 0;
  for (const name of await queues.names()) {
    const work = dropLetters(await queues.queue(name), {
      choice: {},
      limit: MOST_LETTERS,
      only: async ({ facts: { account = '' } }) => accounts.includes(account),
    });
    dropped += (await reporting('Removed', work)).found;
  }
  return dropped;
};

/** Reports how many letters were done when a fault ends the command. */
const reporting = async <Result>(done: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (fault) {
    if (!(fault instanceof TakingFailed)) throw fault;
    throw new AdministrationError(
      `${done} ${fault.taken} letters, then: ${fault.message}. The others are where they were: run the command again.`,
    );
  }
};
