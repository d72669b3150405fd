import { hashLinkCode } from '../../../core/directory/console-link.ts';
import * as createConsoleSession from '../../../lambdas/api/console-links/create-console-session.ts';
import { administrationInMemory } from './administration.ts';
import type { inMemoryDirectory } from './in-memory-directory.ts';

/** The ids of the first two tokens: of their instants, and of the second and the fourth draw. */
export const VALID_TOKEN = 'tok_1a1f8d3f9a020202';
export const REVOKED_TOKEN = 'tok_1a1f8d3fd8840404';

/** Of a link to the console in `acme`, as the documentation has it. */
const LINK_CODE = createConsoleSession.route.body.examples.link.value.code;

/** `acme` with an account below, an admin with a signature, a valid token and a revoked one; and another account. */
export const fillDirectory = async (
  directory: ReturnType<typeof inMemoryDirectory>,
): Promise<void> => {
  const { administration } = administrationInMemory(directory);
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  await administration.createAccount('globex');
  await administration.createUser('usr_1', 'acme', 'admin');
  await administration.setSignature('usr_1', 'Best regards');
  await administration.issueToken('usr_1', 'admin', 'Valid');
  await administration.issueToken('usr_1', 'admin', 'Revoked');
  await administration.revokeToken('acme', REVOKED_TOKEN);
  await directory.links.add({
    hash: hashLinkCode(LINK_CODE),
    account: 'acme',
    user: 'Ada Lovelace',
    role: 'admin',
    validUntil: '2026-11-20T12:30:59.000Z',
    sessionEndsAt: '2026-11-20T16:29:59.000Z',
  });
};
