import type { ConsoleConfig } from '../../serving/console-config.ts';
import { ApiProblem, NoAnswer, problemOf } from '../api/problem.ts';
import { createSignal } from '../shared/signal.ts';
import { windowStorage } from '../shared/window-storage.ts';
import { type Session, SIGNED_OUT } from './session.ts';

/** So that a reload, which ends the session, does not ask the user to sign in. */
const OPENED_BY_LINK = 'opened-by-link';

/** The code of a link. Takes it out of the address and the history of the browser. */
export const takeCode = ({ hash, pathname, search }: Location): string | undefined => {
  const [, code] = /^#code=(.+)$/.exec(hash) ?? [];
  if (code !== undefined) window.history.replaceState(null, '', `${pathname}${search}`);
  return code;
};

export const wasOpenedByLink = (): boolean =>
  typeof windowStorage()?.getItem(OPENED_BY_LINK) === 'string';

export const forgetLink = (): void => windowStorage()?.removeItem(OPENED_BY_LINK);

/** The platform's page that makes a link to the page that this window shows. */
export const platformPageOf = (
  { platformUrl }: ConsoleConfig,
  { pathname, search }: Location,
): string | undefined => {
  if (platformUrl === undefined) return undefined;
  const address = new URL(platformUrl);
  if (pathname !== SIGNED_OUT) address.searchParams.set('page', `${pathname}${search}`);
  return address.href;
};

export const isUsedLink = (error: unknown): boolean =>
  error instanceof ApiProblem && error.kind === 'console-link-expired';

/**
 * The session of a link, which the code opens once. Its token is kept only in memory, and nothing
 * renews it. Throws `ApiProblem` and `NoAnswer`.
 */
export const openLink = async (api: string, code: string): Promise<Session> => {
  const answer = await fetch(`${api}/console-sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  }).catch((error: unknown) => {
    throw new NoAnswer('The service cannot be reached.', { cause: error });
  });
  if (!answer.ok) throw await problemOf(answer);
  const { id, token } = (await answer.json()) as { id: string; token: string };
  windowStorage()?.setItem(OPENED_BY_LINK, '');
  const isExpired = createSignal(false);
  /** Calls wait for good: nothing replaces the token. */
  const ended = (): Promise<string> => {
    isExpired.set(true);
    return new Promise(() => {});
  };
  return {
    isExpired,
    // The service says when it has ended: the clock of a user's machine may be hours off.
    tokens: { current: async () => token, renewed: ended },
    signOut: async () => {
      await revoke(new URL(id, api), token);
      window.location.assign(SIGNED_OUT);
    },
  };
};

/** Without an answer, the token is valid until the session ends. */
const revoke = (address: URL, token: string): Promise<unknown> =>
  fetch(address, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
