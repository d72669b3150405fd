import type { Command } from 'commander';
import type { CommandProcess, Perform } from '../command.ts';
import type { ImportedLine } from '../import-lines.ts';

const HELP = `
A line has one JSON document: an Integration as the API's POST takes it, with its account and its
webhookSecret, or a Signature as the API shows it:
  {"account":"acme","active":true,"provider":"webhook","settings":{},
   "config":{"baseUrl":"https://hooks.example.com/in","webhookSecret":"whsec_..."}}
  {"@type":"Signature","id":"/users/u_ada/signature","content":"Ada, Acme Inc."}
(the first is one line, too). Accounts and users must exist.

What exists is left as it is: an integration of the same account, address and description, and the
signature of a user who has one. So the command can be repeated, also after it was interrupted. A wrong
line disturbs no other; the exit code is 1 if a line failed. Secrets and texts are not printed.
Run no two imports of one account at the same time.

Examples:
  npm run admin -- integrations import webhooks.jsonl --dry-run
  npm run admin -- integrations import webhooks.jsonl`;

export const addIntegrationImport = (
  integrations: Command,
  perform: Perform,
  { readText }: CommandProcess,
): void => {
  integrations
    .command('import')
    .description('create the integrations and signatures of a file')
    .argument('<file>', 'a file with a JSON document on each line; - reads the standard input')
    .option('--dry-run', 'say what would be done, and write nothing')
    .addHelpText('after', HELP)
    .action((file: string, { dryRun = false }: { dryRun?: boolean }, command: Command) =>
      perform(command, async (connection) => {
        const importLines = await connection.importLines();
        // So that a line of another encoding disturbs no other.
        const text = await readText(file, { isRepaired: true });
        const lines = await importLines(text, { dryRun });
        const countOf = (result: ImportedLine['result']) =>
          lines.filter((one) => one.result === result).length;
        const counts = {
          added: countOf('added'),
          existed: countOf('exists'),
          failed: countOf('failed'),
        };
        return {
          document: { dryRun, ...counts, lines },
          lines: [
            ...lines.flatMap((one) => linesOf(one, dryRun)),
            `${dryRun ? 'To add' : 'Added'}: ${counts.added}. There already: ${counts.existed}. Failed: ${counts.failed}.`,
          ],
          isFailure: counts.failed > 0,
        };
      }),
    );
};

const linesOf = (imported: ImportedLine, dryRun: boolean): string[] => {
  const { line, result, user, account, integration, address, warnings = [] } = imported;
  const name =
    user === undefined
      ? `${[account, integration].filter(Boolean).join('/')} ${address}`
      : `signature of ${user}`;
  const came = {
    added: `${dryRun ? 'would add' : 'added'} ${name}`,
    exists: `exists: ${name}`,
    failed: `failed: ${reasonOf(imported)}`,
  };
  return [
    `line ${line}: ${came[result]}`,
    ...warnings.map(({ pointer, detail }) => `line ${line}: warning: ${pointer} ${detail}`),
  ];
};

const reasonOf = ({ detail = '', errors = [] }: ImportedLine): string =>
  errors.length === 0
    ? detail
    : errors
        .map(({ detail: why, ...where }) => `${Object.values(where).join() || 'It'} ${why}`)
        .join('; ');
