import { type Command, Option } from 'commander';
import type { ListedToken } from '../../core/directory/access-token.ts';
import { ROLES, type Role } from '../../core/directory/user.ts';
import { instantIn, type Perform } from '../command.ts';
import { fields, table } from '../layout.ts';

const ISSUE_HELP = `
The token is for the user's primary account. Without --expires it does not expire. The API may accept
an expired token for up to 60 seconds. The token itself is not stored and is shown only now: if it is lost,
revoke it and issue another. Members read; admins also write. Role admin needs a user who is an admin
of the organisation.

Example:
  npm run admin -- tokens issue --user u_ada --role admin --name "deployment of the shop"`;

const LIST_HELP = `
LAST USED is at most an hour older than the latest use.

Example:
  npm run admin -- tokens list --account acme`;

const REVOKE_HELP = `
The API may accept the token for up to 60 seconds more. Revoking a token twice does no harm.

Example:
  npm run admin -- tokens revoke tok_0f1e2d3c4b5a6978 --account acme`;

export const addTokenCommands = (program: Command, perform: Perform): void => {
  const tokens = program
    .command('tokens')
    .description("issue, list and revoke the API's access tokens")
    .addHelpText('after', '\nExample:\n  npm run admin -- tokens list --account acme');
  addIssue(tokens, perform);
  tokens
    .command('list')
    .description("list an account's tokens, revoked and expired ones included")
    .requiredOption('--account <name>', 'a primary account')
    .addHelpText('after', LIST_HELP)
    .action(({ account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        const listed = await (await connection.administration()).listTokens(account);
        return { document: listed.map(tokenDocument), lines: tokenTable(listed) };
      }),
    );
  tokens
    .command('revoke')
    .description('revoke a token')
    .argument('<token-id>', 'id from "tokens list"; not the token itself')
    .requiredOption('--account <name>', 'a primary account')
    .addHelpText('after', REVOKE_HELP)
    .action((id: string, { account }: { account: string }, command: Command) =>
      perform(command, async (connection) => {
        const revoked = await (await connection.administration()).revokeToken(account, id);
        return {
          document: tokenDocument(revoked),
          lines: [
            `Token ${id} is revoked in stage ${connection.target.stage} since ${revoked.revokedAt}.`,
          ],
        };
      }),
    );
};

interface IssueOptions {
  readonly user: string;
  readonly role: Role;
  readonly name: string;
  readonly expires?: string;
}

const addIssue = (tokens: Command, perform: Perform): void => {
  tokens
    .command('issue')
    .description('issue a token for a user')
    .requiredOption('--user <id>', 'the user whose token it is')
    .addOption(new Option('--role <role>', "the token's role").choices(ROLES).makeOptionMandatory())
    .option('--name <name>', 'what the token is called in lists', 'command line')
    .option('--expires <instant>', 'when the token expires, as 2026-12-31T00:00:00Z', instantIn)
    .addHelpText('after', ISSUE_HELP)
    .action(({ user, role, name, expires: expiresAt }: IssueOptions, command: Command) =>
      perform(command, async (connection) => {
        const administration = await connection.administration();
        const { token, issued } = await administration.issueToken(user, role, name, {
          expiresAt,
        });
        return {
          document: { token, ...tokenDocument(issued) },
          lines: [
            `Issued in stage ${connection.target.stage}. The token is shown only this once:`,
            ...fields({
              token,
              'token id': issued.id,
              name: issued.name,
              user: issued.user,
              account: issued.account,
              role: issued.role,
              expires: issued.expiresAt ?? 'never',
            }),
          ],
        };
      }),
    );
};

/** A token as commands print it: without the hash. */
const tokenDocument = ({ hash: _hash, id, ...shown }: ListedToken) => ({ tokenId: id, ...shown });

const tokenTable = (tokens: readonly ListedToken[]): string[] =>
  table(
    ['TOKEN ID', 'USER', 'ROLE', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED', 'NAME'],
    tokens.map((token) => [
      ...[token.id, token.user, token.role, token.createdAt],
      ...[token.lastUsedAt ?? '-', token.expiresAt ?? '-', token.revokedAt ?? '-', token.name],
    ]),
    'No tokens.',
  );
