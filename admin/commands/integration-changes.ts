import { type Command, Option } from 'commander';
import { statusOf } from '../../core/integration/integration.ts';
import type { Perform } from '../command.ts';
import { primaryAccount } from '../connection.ts';

const SWITCH_HELP = `
Changes the settings as the customer would: the change is in the customer's Activity, by an
operator. While an integration is inactive, its events are stored only if its setting
whileInactive is keep; "deactivate --keep" sets it, and it stays so. "activate" sends them.

Examples:
  npm run admin -- integrations deactivate 8Fq2LmZ0aBcD --account acme --keep
  npm run admin -- integrations activate 8Fq2LmZ0aBcD --account acme`;

const RECOVER_HELP = `
Ends the trouble and sends what is pending, as a change of settings does. An endpoint that still
fails makes its integration failed again. Without an id, --account recovers all of that account, and
--all those of every account: the command then reads the whole table.

Examples:
  npm run admin -- integrations recover 8Fq2LmZ0aBcD --account acme
  npm run admin -- integrations recover --account acme --status busy
  npm run admin -- integrations recover --all --status failed`;

export const addIntegrationChanges = (integrations: Command, perform: Perform): void => {
  addSwitch(integrations, perform, { name: 'activate', active: true });
  addSwitch(integrations, perform, { name: 'deactivate', active: false }).option(
    '--keep',
    'store the events that happen from now on (settings.whileInactive)',
  );
  addRecover(integrations, perform);
};

interface SwitchOptions {
  readonly account: string;
  readonly keep?: true;
}

const addSwitch = (
  parent: Command,
  perform: Perform,
  { name, active }: { name: string; active: boolean },
): Command =>
  parent
    .command(name)
    .description(`make an integration ${active ? 'active' : 'inactive'}`)
    .argument('<id>', "the integration's id: 12 letters and digits")
    .requiredOption('--account <name>', 'the primary account that has it')
    .addHelpText('after', SWITCH_HELP)
    .action((id: string, { account, keep }: SwitchOptions, command: Command) =>
      perform(command, async (connection) => {
        const changes = await connection.integrationChanges();
        const changed = statusOf(await changes.setActive({ account, id }, { active, keep }));
        return {
          document: { account, id, status: changed },
          lines: [`${account}/${id} is ${changed}.`],
        };
      }),
    );

interface RecoverOptions {
  readonly account?: string;
  readonly all?: true;
  readonly status?: 'busy' | 'failed';
}

const addRecover = (parent: Command, perform: Perform): void => {
  parent
    .command('recover')
    .description('end the trouble of one integration or of many, and send what is pending')
    .argument('[id]', "the integration's id: 12 letters and digits")
    .option(
      '--account <name>',
      'a primary account: the one that has it, or without an id all of it',
    )
    .option('--all', 'of every account, instead of one')
    .addOption(
      new Option('--status <status>', 'without an id: which ones (default: failed)').choices([
        'busy',
        'failed',
      ]),
    )
    .addHelpText('after', RECOVER_HELP)
    .action((id: string | undefined, options: RecoverOptions, command: Command) => {
      const { account, all, status } = options;
      if ((account === undefined) === (all === undefined) || (all && id !== undefined)) {
        command.error('error: give one of <id> with --account, --account alone, and --all.');
      }
      if (id !== undefined && status !== undefined) {
        command.error('error: --status chooses among many: leave it out beside an id.');
      }
      return perform(command, async (connection) => {
        if (account !== undefined) await primaryAccount(connection, account);
        const changes = await connection.integrationChanges();
        const recovered =
          account !== undefined && id !== undefined
            ? [await changes.recover({ account, id })].length
            : await changes.recoverAll(status ?? 'failed', account);
        return { document: { recovered }, lines: [`Recovered: ${recovered}.`] };
      });
    });
};
