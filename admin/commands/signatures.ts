import type { Command } from 'commander';
import type { CommandProcess, Perform } from '../command.ts';

const SET_HELP = `
At most 1600 characters. An empty text removes the signature.

Examples:
  npm run admin -- signatures set u_ada "Ada, Acme Inc."
  npm run admin -- signatures set u_ada - < signature.txt`;

export const addSignatureCommands = (
  program: Command,
  perform: Perform,
  { readText }: CommandProcess,
): void => {
  const signatures = program
    .command('signatures')
    .description("set users' signatures")
    .addHelpText('after', '\nExample:\n  npm run admin -- signatures set u_ada "Ada, Acme Inc."');
  signatures
    .command('set')
    .description("set or replace a user's signature")
    .argument('<user>', "the user's id")
    .argument('<text>', 'the signature; - reads it from the standard input')
    .addHelpText('after', SET_HELP)
    .action((user: string, text: string, _options: object, command: Command) =>
      perform(command, async (connection) => {
        const content = text === '-' ? withoutLastLineEnd(await readText('-')) : text;
        await (await connection.administration()).setSignature(user, content);
        return {
          document: { user, content },
          lines: [`Signature of ${user} set in stage ${connection.target.stage}.`],
        };
      }),
    );
};

/** `echo` and editors put a line end after the last line, which is no part of the signature. */
const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');
