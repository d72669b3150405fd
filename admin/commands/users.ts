import { type Command, Option } from 'commander';
import type { SignInIdentity } from '../../core/directory/sign-in.ts';
import { ROLES, type Role, type User } from '../../core/directory/user.ts';
import type { CommandProcess, Perform } from '../command.ts';
import type { Connection } from '../connection.ts';
import { fields, table } from '../layout.ts';
import { addRemoveUser } from './removal.ts';

const CREATE_HELP = `
The id is part of the API's paths (GET /users/u_ada/signature) and unique among all accounts. It
has 1 to 64 of A-Z a-z 0-9 _ -. An admin changes integrations and tokens of the organisation, and
so must be a user of the organisation's own account. Everybody else is a member, who reads.

With --sign-in the user can sign in to the web console: the deployment's user pool (Amazon Cognito)
invites the address by e-mail, unless the pool knows it, and you tell the user the console's page,
which is printed. The command can then be repeated. If the stage sends e-mails about failures, the
address of an admin gets them.

Examples:
  npm run admin -- users create u_ada --account acme --role admin --sign-in ada@example.com
  npm run admin -- users create u_bob --account acme-sms`;

const IDENTIFY_HELP = `
For a provider other than the deployment's own user pool. The user's access tokens do not change.
"users create --sign-in" does the same for a person of the user pool.

Example:
  npm run admin -- users identify u_ada --issuer https://id.example.com --sub 248289761001`;

const EMAIL_HELP = `
If the stage sends e-mails about failures, the admins of an organisation get them. The address has
no effect on the sign-in. - removes it.

Examples:
  npm run admin -- users email u_ada ada@example.com
  npm run admin -- users email u_ada -`;

export const addUserCommands = (program: Command, perform: Perform, io: CommandProcess): void => {
  const users = program
    .command('users')
    .description('create, show, list and remove users, and say who signs in as them')
    .addHelpText('after', '\nExample:\n  npm run admin -- users create u_ada --account acme');
  addCreate(users, perform);
  addIdentify(users, perform);
  addEmail(users, perform);
  users
    .command('show')
    .description('show a user, and who signs in as the user')
    .argument('<id>', "the user's id")
    .addHelpText('after', '\nExample:\n  npm run admin -- users show u_ada')
    .action((id: string, _options: object, command: Command) =>
      perform(command, async (connection) => {
        const { user, identities } = await (await connection.administration()).findUser(id);
        return {
          document: { ...user, identities },
          lines: [...userLines(user), ...identityLines(identities)],
        };
      }),
    );
  users
    .command('list')
    .description("list an account's users, without those of the accounts below")
    .requiredOption('--account <name>', 'an account')
    .addHelpText('after', '\nExample:\n  npm run admin -- users list --account acme')
    .action(({ account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        const listed = await (await connection.administration()).listUsers(account);
        return { document: listed, lines: userTable(listed) };
      }),
    );
  addRemoveUser(users, perform, io);
};

interface NewUser {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
}

interface CreateOptions extends Omit<NewUser, 'id'> {
  /** An e-mail address. */
  readonly signIn?: string;
}

const addCreate = (users: Command, perform: Perform): void => {
  users
    .command('create')
    .description('create a user in an account')
    .argument('<id>', 'the id, for good')
    .requiredOption('--account <name>', 'the account the user belongs to, for good')
    .addOption(new Option('--role <role>', "the user's role").choices(ROLES).default('member'))
    .option('--sign-in <email>', 'let the person with this address sign in as the user')
    .addHelpText('after', CREATE_HELP)
    .action((id: string, { signIn, ...options }: CreateOptions, command: Command) =>
      perform(command, (connection) =>
        signIn === undefined
          ? create(connection, { id, ...options })
          : invite(connection, { id, ...options, email: signIn }),
      ),
    );
};

const create = async (connection: Connection, { id, account, role }: NewUser) => {
  const user = await (await connection.administration()).createUser(id, account, role);
  return {
    document: user,
    lines: [`Created in stage ${connection.target.stage}:`, ...userLines(user)],
  };
};

const invite = async (connection: Connection, invitation: NewUser & { readonly email: string }) => {
  const signIns = await connection.signIns();
  const page = await connection.consoleUrl();
  const administration = await connection.administration();
  const { user, identity, outcome } = await administration.inviteUser(invitation, signIns);
  const { email } = invitation;
  return {
    document: { ...user, identity, outcome, console: page },
    lines: [
      `Can sign in to stage ${connection.target.stage}:`,
      ...userLines(user),
      outcome === 'invited'
        ? `${email} was invited by e-mail.`
        : `The user pool knows ${email} already, and sent no invitation.`,
      `Tell the user to sign in at ${page} with this address.`,
    ],
  };
};

interface IdentifyOptions {
  readonly issuer: string;
  readonly sub: string;
}

const addIdentify = (users: Command, perform: Perform): void => {
  users
    .command('identify')
    .description('say who signs in as a user')
    .argument('<id>', "the user's id")
    .requiredOption('--issuer <url>', "the issuer in the provider's tokens")
    .requiredOption('--sub <subject>', 'the "sub" of the person in the provider\'s tokens')
    .addHelpText('after', IDENTIFY_HELP)
    .action((id: string, { issuer, sub }: IdentifyOptions, command: Command) =>
      perform(command, async (connection) => {
        const identity = { issuer, subject: sub };
        await (await connection.administration()).identifyUser(id, identity);
        return {
          document: { user: id, identity },
          lines: [
            `Signs in to stage ${connection.target.stage} as user ${id}:`,
            ...fields({ issuer, sub }),
          ],
        };
      }),
    );
};

const addEmail = (users: Command, perform: Perform): void => {
  users
    .command('email')
    .description("set, replace or remove a user's e-mail address")
    .argument('<id>', "the user's id")
    .argument('<address>', 'the address; - removes it')
    .addHelpText('after', EMAIL_HELP)
    .action((id: string, address: string, _options: object, command: Command) =>
      perform(command, async (connection) => {
        const administration = await connection.administration();
        const user = await administration.setEmail(id, address === '-' ? undefined : address);
        return {
          document: user,
          lines: [`Changed in stage ${connection.target.stage}:`, ...userLines(user)],
        };
      }),
    );
};

const userLines = ({ id, account, primaryAccount, role, email, createdAt }: User): string[] =>
  fields({
    user: id,
    account,
    'primary account': primaryAccount,
    role,
    ...(email !== undefined && { 'e-mail': email }),
    created: createdAt,
  });

const identityLines = (identities: readonly SignInIdentity[]): string[] =>
  identities.length === 0
    ? ['Nobody signs in as this user.']
    : [
        '',
        ...table(
          ['ISSUER', 'SUB'],
          identities.map(({ issuer, subject }) => [issuer, subject]),
        ),
      ];

const userTable = (users: readonly User[]): string[] =>
  table(
    ['USER', 'ROLE', 'EMAIL', 'CREATED'],
    users.map(({ id, role, email = '-', createdAt }) => [id, role, email, createdAt]),
    'No users.',
  );
