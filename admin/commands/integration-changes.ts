import { type Command, Option } from 'commander';
import { statusOf } from '../../core/integration/integration.ts';
import type { Perform } from '../command.ts';

const SWITCH_HELP = `
Changes the settings as the customer would: the change is in the customer's Activity, by an
operator. While an integration is inactive, its events are not stored.

Examples:
  npm run admin -- integrations deactivate 8Fq2LmZ0aBcD --account acme
  npm run admin -- integrations activate 8Fq2LmZ0aBcD --account acme`;

const RECOVER_HELP = `
Ends the trouble and sends what is pending, as a change of settings does. An endpoint that still
fails makes its integration failed again. With --all, the command reads the whole table.

Examples:
  npm run admin -- integrations recover 8Fq2LmZ0aBcD --account acme
  npm run admin -- integrations recover --all --status failed`;

export const addIntegrationChanges = (integrations: Command, perform: Perform): void => {
  addSwitch(integrations, perform, { name: 'activate', active: true });
  addSwitch(integrations, perform, { name: 'deactivate', active: false });
  addRecover(integrations, perform);
};

const addSwitch = (
  parent: Command,
  perform: Perform,
  { name, active }: { name: string; active: boolean },
): void => {
  parent
    .command(name)
    .description(`make an integration ${active ? 'active' : 'inactive'}`)
    .argument('<id>', "the integration's id: 12 letters and digits")
    .requiredOption('--account <name>', 'the primary account that has it')
    .addHelpText('after', SWITCH_HELP)
    .action((id: string, { account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        const changes = await connection.integrationChanges();
        const changed = statusOf(await changes.setActive({ account, id }, active));
        return {
          document: { account, id, status: changed },
          lines: [`${account}/${id} is ${changed}.`],
        };
      }),
    );
};

interface RecoverOptions {
  readonly account?: string;
  readonly all?: true;
  readonly status: 'busy' | 'failed';
}

const addRecover = (parent: Command, perform: Perform): void => {
  parent
    .command('recover')
    .description('end the trouble of an integration, or of all, and send what is pending')
    .argument('[id]', "the integration's id: 12 letters and digits")
    .option('--account <name>', 'the primary account that has it')
    .option('--all', 'all of the status, instead of one')
    .addOption(
      new Option('--status <status>', 'with --all').choices(['busy', 'failed']).default('failed'),
    )
    .addHelpText('after', RECOVER_HELP)
    .action((id: string | undefined, options: RecoverOptions, command: Command) => {
      const { account, all, status } = options;
      const isOne = id !== undefined && account !== undefined;
      if (isOne === (all === true)) {
        command.error('error: give either an id with --account, or --all.');
      }
      return perform(command, async (connection) => {
        const changes = await connection.integrationChanges();
        const recovered = isOne
          ? [await changes.recover({ account, id })].length
          : await changes.recoverAll(status);
        return { document: { recovered }, lines: [`Recovered: ${recovered}.`] };
      });
    });
};
