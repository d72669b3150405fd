import type { Command } from 'commander';
import * as z from 'zod';
import { AdministrationError } from '../../core/refusal.ts';
import type { CommandProcess, Perform } from '../command.ts';

const SET_HELP = `
At most 1600 characters. An empty text removes the signature.

Examples:
  npm run admin -- signatures set u_ada "Ada, Acme Inc."
  npm run admin -- signatures set u_ada - < signature.txt`;

const IMPORT_HELP = `
Each line is an object: { "user": "u_ada", "content": "Ada, Acme Inc." }. A line that is wrong stops
the command before it sets any. A signature that is too long, or whose user does not exist, is shown;
the others are set. The command can be repeated.

Example:
  npm run admin -- signatures import signatures.jsonl`;

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
  signatures
    .command('import')
    .description('set or replace the signatures of many users')
    .argument('<file>', 'a file with a JSON object a line; - reads the standard input')
    .addHelpText('after', IMPORT_HELP)
    .action((file: string, _options: object, command: Command) =>
      perform(command, async (connection) => {
        const lines = linesOf(await readText(file));
        const { setSignature } = await connection.administration();
        const failed: { user: string; reason: string }[] = [];
        for (const { user, content } of lines) {
          try {
            await setSignature(user, content);
          } catch (fault) {
            if (!(fault instanceof AdministrationError)) throw fault;
            failed.push({ user, reason: fault.message });
          }
        }
        const set = lines.length - failed.length;
        return {
          document: { set, failed },
          lines: [
            `Signatures set in stage ${connection.target.stage}: ${set}.`,
            ...failed.map(({ user, reason }) => `${user}: ${reason}`),
          ],
          isFailure: failed.length > 0,
        };
      }),
    );
};

/** `echo` and editors put a line end after the last line, which is no part of the signature. */
const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

const lineSchema = z.strictObject({ user: z.string(), content: z.string() });

const linesOf = (text: string) =>
  text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data, error } = lineSchema.safeParse(jsonOf(line));
    if (data) return [data];
    const [issue] = error.issues;
    const place = [`line ${index + 1}`, ...(issue?.path ?? [])].join(': ');
    throw new AdministrationError(`${place}: ${issue?.message}. No signature was set.`);
  });

/** Undefined if the text is not JSON. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
