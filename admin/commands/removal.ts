import type { Command } from 'commander';
import { customerLimits } from '../../core/customer-limits.ts';
import { type Account, isOrganisation } from '../../core/directory/account.ts';
import type { AccountCounts } from '../../core/directory/count-account.ts';
import type { UserCounts } from '../../core/directory/remove-user.ts';
import { AdministrationError } from '../../core/refusal.ts';
import type { CommandProcess, Perform } from '../command.ts';
import type { Connection } from '../connection.ts';
import { fields, table } from '../layout.ts';
import { dropLettersOf } from './dead-letters.ts';

const REMOVE_ACCOUNT_HELP = `
Removes an account for good: its users with their sign-ins, signatures and tokens, and if it is an
organisation's own, its integrations with their pending events, and all accounts below it. The
command shows the counts and asks; then it asks whether to drop the account's dead letters, too.
--yes answers both. For an organisation it waits half a minute, until the last changes are known.
Pending events are removed within the hour. From the beginning on nothing can be created in the
account: if the command dies, run it again.

It says at the end what is left to expire. The name is blocked for 14 days. Platforms should stop
sending the account's events before: they are dropped.

Examples:
  npm run admin -- accounts remove acme
  npm run admin -- accounts remove acme-sms --yes`;

const REMOVE_USER_HELP = `
Removes a person for good: the user, the sign-in with its entry in the user pool, the signature and
the tokens. The command shows the counts and asks; --yes answers. The API may answer the user for up
to 60 seconds more. A person of another identity provider stays there, without effect.

Example:
  npm run admin -- users remove u_ada`;

const STATISTICS_DAYS = 31;
const TOKEN_HASH_DAYS = 1;
/** The longest retention of SQS, and of DynamoDB's point-in-time recovery. */
const QUEUE_DAYS = 14;
const RECOVERY_DAYS = 35;

/** Days until data is gone, by what it is. DynamoDB deletes expired items within days. */
const leftOfUser = (logDays: number): Readonly<Record<string, number>> => ({
  'hashes of removed tokens': TOKEN_HASH_DAYS,
  'point-in-time recovery and backups of tables': RECOVERY_DAYS,
  logs: logDays,
});

const leftOfAccount = (logDays: number): Readonly<Record<string, number>> => ({
  'messages in queues, dead letters too': QUEUE_DAYS,
  'the name, which is blocked': QUEUE_DAYS,
  'delivery log': customerLimits.deliveryLogRetentionDays,
  statistics: STATISTICS_DAYS,
  ...leftOfUser(logDays),
});

type Io = Pick<CommandProcess, 'confirm' | 'now' | 'writeError'>;

interface Confirmed {
  readonly yes?: true;
}

export const addRemoveAccount = (accounts: Command, perform: Perform, io: Io): void => {
  accounts
    .command('remove')
    .description('remove an account for good, with all that it has')
    .argument('<name>', "the account's name")
    .option('--yes', 'do not ask')
    .addHelpText('after', REMOVE_ACCOUNT_HELP)
    .action((name: string, { yes }: Confirmed, command: Command) =>
      perform(command, async (connection) => {
        const removal = await connection.accountRemoval();
        const logDays = await connection.logRetentionDays();
        const { account, counts } = await removal.count(name);
        const what = `account ${account.name} of stage ${connection.target.stage}`;
        await ask({ what, counts: accountFields(counts), yes }, io);
        const deadLetters = await dropIfWanted({ account, what, yes }, connection, io);
        await removal.remove(name, (progress) => io.writeError(`${progress}\n`));
        const left = expiries(leftOfAccount(logDays), io.now());
        const removed = { ...accountFields(counts), 'dead letters': `${deadLetters}` };
        return {
          document: { account, removed: { ...counts, deadLetters }, left },
          lines: receipt(what, removed, left),
        };
      }),
    );
};

/** Before the account is removed, so that the command can be repeated. */
const dropIfWanted = async (
  { account, what, yes }: Confirmed & { account: Account; what: string },
  connection: Connection,
  io: Io,
): Promise<number> => {
  if (!(yes ?? (await io.confirm(`Drop the dead letters of ${what}, too?`)))) return 0;
  const administration = await connection.administration();
  const accounts = isOrganisation(account)
    ? await administration.listAccounts(account.name)
    : [account];
  const names = accounts.map(({ name }) => name);
  return dropLettersOf(names, connection);
};

export const addRemoveUser = (users: Command, perform: Perform, io: Io): void => {
  users
    .command('remove')
    .description('remove a user for good, with sign-ins, tokens and signature')
    .argument('<id>', "the user's id")
    .option('--yes', 'do not ask')
    .addHelpText('after', REMOVE_USER_HELP)
    .action((id: string, { yes }: Confirmed, command: Command) =>
      perform(command, async (connection) => {
        const administration = await connection.administration();
        const logDays = await connection.logRetentionDays();
        const { user, counts } = await administration.countUser(id);
        const what = `user ${user.id} of account ${user.account}, stage ${connection.target.stage}`;
        await ask({ what, counts: userFields(counts), yes }, io);
        await administration.removeUser(id, await connection.userPool());
        const left = expiries(leftOfUser(logDays), io.now());
        return {
          document: { user, removed: counts, left },
          lines: receipt(what, userFields(counts), left),
        };
      }),
    );
};

interface Question extends Confirmed {
  readonly what: string;
  readonly counts: Readonly<Record<string, string>>;
}

/** Shows what would be removed, on stderr. Throws `AdministrationError` if the answer is not yes. */
const ask = async ({ what, counts, yes }: Question, io: Io): Promise<void> => {
  io.writeError([`To be removed: ${what}, with`, ...fields(counts), ''].join('\n'));
  if (yes ?? (await io.confirm(`Remove ${what} for good?`))) return;
  throw new AdministrationError('Nothing was removed: say yes, or give --yes.');
};

const userFields = ({ signIns, signatures, tokens }: UserCounts) => ({
  'sign-ins': `${signIns}`,
  signatures: `${signatures}`,
  tokens: `${tokens}`,
});

const accountFields = (counts: AccountCounts) => ({
  'accounts below': `${counts.accountsBelow}`,
  users: `${counts.users}`,
  ...userFields(counts),
  integrations: `${counts.integrations}`,
  'pending events': `${counts.isExact ? '' : 'at least '}${counts.pendingEvents}`,
});

interface Expiry {
  readonly data: string;
  readonly until: string;
}

const DAY_MS = 86_400_000;

const expiries = (days: Readonly<Record<string, number>>, now: Date): readonly Expiry[] =>
  Object.entries(days)
    .toSorted(([, one], [, other]) => one - other)
    .map(([data, count]) => ({
      data,
      until: new Date(now.getTime() + count * DAY_MS).toISOString().slice(0, 10),
    }));

const receipt = (
  what: string,
  counts: Readonly<Record<string, string>>,
  left: readonly Expiry[],
): string[] => [
  `Removed: ${what}, with`,
  ...fields(counts),
  '',
  'Left, and expiring by itself:',
  ...table(
    ['DATA', 'UNTIL'],
    left.map(({ data, until }) => [data, until]),
  ),
];
