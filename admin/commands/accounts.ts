import { type Command, Option } from 'commander';
import type { Account, PageOptions } from '../../core/directory/account.ts';
import { type CommandProcess, count, type Perform } from '../command.ts';
import { fields, table } from '../layout.ts';
import { addRemoveAccount } from './removal.ts';

const CREATE_HELP = `
The name is part of the API's paths (POST /acme/integrations) and never changes. It has 2 to 63
of a-z 0-9 - and does not begin with -. Tokens and integrations belong to the primary account:
the top of a chain of parents. An account below it, such as a messaging account, has users only.

The name of a removed account is blocked for 14 days, as long as queues can have its messages: the new
account's webhooks would get them. --reuse-name creates it before.

Examples:
  npm run admin -- accounts create acme
  npm run admin -- accounts create acme-sms --parent acme`;

const LIST_HELP = `
Without --account, the command reads the whole table of accounts, users and tokens: 128 read units
for each MB of it. The accounts are in no particular order.

Examples:
  npm run admin -- accounts list
  npm run admin -- accounts list --account acme`;

interface ListOptions extends PageOptions {
  readonly account?: string;
}

interface CreateOptions {
  readonly parent?: string;
  readonly reuseName?: true;
}

export const addAccountCommands = (
  program: Command,
  perform: Perform,
  io: CommandProcess,
): void => {
  const accounts = program
    .command('accounts')
    .description('create, show, list and remove accounts')
    .addHelpText('after', '\nExample:\n  npm run admin -- accounts create acme');
  addCreate(accounts, perform);
  addShow(accounts, perform);
  addList(accounts, perform);
  addRemoveAccount(accounts, perform, io);
};

const addCreate = (accounts: Command, perform: Perform): void => {
  accounts
    .command('create')
    .description('create an account')
    .argument('<name>', 'the name, for good')
    .option('--parent <name>', 'the account above the new account, for good')
    .option('--reuse-name', 'although an account of the name was removed within 14 days')
    .addHelpText('after', CREATE_HELP)
    .action((name: string, { parent, reuseName }: CreateOptions, command: Command) =>
      perform(command, async (connection) => {
        const administration = await connection.administration();
        const account = await administration.createAccount(name, parent, { reusesName: reuseName });
        return {
          document: account,
          lines: [`Created in stage ${connection.target.stage}:`, ...accountLines(account)],
        };
      }),
    );
};

const addShow = (accounts: Command, perform: Perform): void => {
  accounts
    .command('show')
    .description('show an account')
    .argument('<name>')
    .addHelpText('after', '\nExample:\n  npm run admin -- accounts show acme')
    .action((name: string, _options: object, command: Command) =>
      perform(command, async (connection) => {
        const account = await (await connection.administration()).findAccount(name);
        return { document: account, lines: accountLines(account) };
      }),
    );
};

const addList = (accounts: Command, perform: Perform): void => {
  accounts
    .command('list')
    .description("list the organisations' own accounts, or all accounts of an organisation")
    .option('--account <name>', 'a primary account: lists it and all below')
    .addOption(
      new Option('--limit <number>', 'without --account: how many at the most')
        .argParser(count(1_000))
        .default(100)
        .conflicts('account'),
    )
    .addOption(
      new Option('--after <name>', 'without --account: the "next" of the page before').conflicts(
        'account',
      ),
    )
    .addHelpText('after', LIST_HELP)
    .action(({ account, ...page }: ListOptions, command: Command) =>
      perform(command, async (connection) => {
        const administration = await connection.administration();
        if (account !== undefined) {
          const accounts = await administration.listAccounts(account);
          return { document: { accounts }, lines: accountTable(accounts) };
        }
        const { accounts, next } = await administration.listOrganisations(page);
        return {
          document: { accounts, ...(next !== undefined && { next }) },
          lines: [
            ...accountTable(accounts),
            ...(next === undefined ? [] : [`More: add --after ${next}`]),
          ],
        };
      }),
    );
};

const accountTable = (accounts: readonly Account[]): string[] =>
  table(
    ['ACCOUNT', 'PARENT', 'CREATED'],
    accounts.map(({ name, parent, createdAt }) => [name, parent ?? '-', createdAt]),
    'No accounts.',
  );

const accountLines = ({ name, parent, primaryAccount, createdAt }: Account): string[] =>
  fields({
    account: name,
    parent: parent ?? 'none',
    'primary account': primaryAccount,
    created: createdAt,
  });
