import { parseRequestDocument } from '../json-ld/request-document.ts';
import { Refusal } from '../refusal.ts';
import { ACCOUNT_NAME, type Account, type Accounts, isOrganisation } from './account.ts';
import { accountPath } from './account-resource.ts';
import {
  type ConsoleLinks,
  hashLinkCode,
  isLinkCode,
  linkCodeFrom,
  type NewConsoleLink,
} from './console-link.ts';
import { consoleLinkDocument, consoleSessionDocument } from './console-link-resource.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  type TokenMakingPorts,
} from './make-token.ts';
import { USER_ID, type User, type Users } from './user.ts';

interface LinkPorts {
  readonly users: Pick<Users, 'find'>;
  readonly links: ConsoleLinks;
}

const VALID_MS = 60_000;

export type CreateConsoleLink = (accountName: string, body: unknown) => Promise<NewConsoleLink>;

/** Throws `not-found` for an unknown account, and `validation`. */
export const buildCreateConsoleLink =
  (
    ports: LinkPorts &
      Pick<TokenMakingPorts, 'now' | 'randomBytes'> & {
        readonly accounts: Pick<Accounts, 'find' | 'removedAt'>;
        readonly consoleOrigin: string;
      },
  ): CreateConsoleLink =>
  async (accountName, body) => {
    const wanted = parseRequestDocument(consoleLinkDocument, body, { name: 'ConsoleLink' });
    const { user, role, durationSeconds, page } = wanted;
    const account = await existingAccount(accountName, ports);
    const known = await userOf(account.primaryAccount, user, ports);
    const hindrance = role === 'admin' && hindranceOfAdmin(known, account);
    if (hindrance) {
      throw new Refusal('validation', 'The request body is not a valid ConsoleLink.', [
        { pointer: '/role', detail: `must be member: ${hindrance}` },
      ]);
    }
    const code = linkCodeFrom(ports.randomBytes(32));
    const now = ports.now().getTime();
    const link = {
      hash: hashLinkCode(code),
      account: account.primaryAccount,
      user,
      ...(known && { isOfUser: true as const }),
      role,
      validUntil: new Date(now + VALID_MS).toISOString(),
      sessionEndsAt: new Date(now + durationSeconds * 1_000).toISOString(),
    };
    await ports.links.add(link);
    const path = page ?? `${accountPath(account.primaryAccount)}/settings/integrations`;
    return { url: `${ports.consoleOrigin}${path}#code=${code}`, link };
  };

const existingAccount = async (
  name: string,
  { accounts }: { readonly accounts: Pick<Accounts, 'find' | 'removedAt'> },
): Promise<Account> => {
  const account = ACCOUNT_NAME.test(name) ? await accounts.find(name) : undefined;
  const isThere = account && (await accounts.removedAt(account.primaryAccount)) === undefined;
  if (isThere) return account;
  throw new Refusal('not-found', 'The account does not exist.');
};

/** Undefined for a name that the platform gave, which may be the id of another organisation's user. */
const userOf = async (
  organisation: string,
  id: string,
  { users }: Pick<LinkPorts, 'users'>,
): Promise<User | undefined> => {
  const user = USER_ID.test(id) ? await users.find(id) : undefined;
  return user?.primaryAccount === organisation ? user : undefined;
};

const hindranceOfAdmin = (user: User | undefined, account: Account): string | undefined => {
  if (!isOrganisation(account)) return 'the account is below an organisation’s own';
  return user && !mayHaveToken(user, 'admin') ? 'the user is no organisation admin' : undefined;
};

export type OpenConsole = (body: unknown) => Promise<NewToken>;

/**
 * Makes the access token of a link's session, once. Throws `validation`, and `console-link-expired`
 * for every code that is not valid, also if the user or the account of the link was removed. If the
 * process dies after the link is taken, the user needs another link.
 */
export const buildOpenConsole = (ports: LinkPorts & TokenMakingPorts): OpenConsole => {
  const makeToken = buildMakeToken(ports);
  return async (body) => {
    const { code } = parseRequestDocument(consoleSessionDocument, body, { name: 'ConsoleSession' });
    const link = isLinkCode(code)
      ? await ports.links.take(hashLinkCode(code), ports.now())
      : undefined;
    if (link === undefined) throw linkExpired();
    const { account, user, isOfUser, role, sessionEndsAt } = link;
    const isThere = async () => {
      if (!isOfUser) return true;
      const known = await userOf(account, user, ports);
      return known !== undefined && mayHaveToken(known, role);
    };
    const { token, issued, isValid } = await makeToken(
      { user, account, isThere },
      { name: 'Console link', role, expiresAt: sessionEndsAt, prefix: 'ses_' },
    );
    if (!isValid) throw linkExpired();
    return { token, issued };
  };
};

const linkExpired = (): Refusal =>
  new Refusal('console-link-expired', 'This link has been used or has expired.');
