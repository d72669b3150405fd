import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../../core/directory/principal.ts';
import type { Perform } from '../command.ts';
import { fields } from '../layout.ts';

const CREATE_HELP = `
The id is part of the API's paths (GET /users/u_ada/signature) and unique among all accounts. It
has 1 to 64 of A-Z a-z 0-9 _ -. An admin changes integrations and tokens of the organisation, and
so must be a user of the organisation's own account. Everybody else is a member, who reads.

Examples:
  npm run admin -- users create u_ada --account acme --role admin
  npm run admin -- users create u_bob --account acme-sms`;

export const addUserCommands = (program: Command, perform: Perform): void => {
  program
    .command('users')
    .description('create users')
    .addHelpText('after', '\nExample:\n  npm run admin -- users create u_ada --account acme')
    .command('create')
    .description('create a user in an account')
    .argument('<id>', 'the id, for good')
    .requiredOption('--account <name>', 'the account the user belongs to, for good')
    .addOption(new Option('--role <role>', "the user's role").choices(ROLES).default('member'))
    .addHelpText('after', CREATE_HELP)
    .action((id: string, { account, role }: { account: string; role: Role }, command: Command) =>
      perform(command, async (connection) => {
        const user = await (await connection.administration()).createUser(id, account, role);
        return {
          document: user,
          lines: [
            `Created in stage ${connection.target.stage}:`,
            ...fields({
              user: user.id,
              account: user.account,
              'primary account': user.primaryAccount,
              role: user.role,
              created: user.createdAt,
            }),
          ],
        };
      }),
    );
};
