import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import type { ConsoleConfig } from '../../serving/console-config.ts';
import type { Tokens } from '../api/api-client.ts';
import { NoAnswer } from '../api/problem.ts';
import { createSignal, type Signal } from '../shared/signal.ts';
import { returnPath } from './return-path.ts';

export const SIGNED_IN = '/signed-in';
export const SIGNED_OUT = '/signed-out';

/** The session of a user in one window. */
export interface Session {
  /** Whether the session has ended. Calls wait until the user has signed in again. */
  readonly isExpired: Signal<boolean>;
  readonly tokens: Tokens;
  /** Opens a window to sign in, and keeps this page as it is. Absent if the platform signs users in. */
  readonly signInAgain?: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

/** The session of a sign-in. Tokens are kept only in memory: after a reload the provider is asked again. */
export const createSession = (signIn: NonNullable<ConsoleConfig['signIn']>, origin: string) => {
  /** The state, the nonce and the verifier of a sign-in that has begun; no tokens. */
  const underWay = new WebStorageStateStore({ store: window.sessionStorage });
  const manager = new UserManager({
    authority: signIn.issuer,
    client_id: signIn.clientId,
    redirect_uri: `${origin}${SIGNED_IN}`,
    post_logout_redirect_uri: `${origin}${SIGNED_OUT}`,
    scope: 'openid',
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: underWay,
    automaticSilentRenew: false,
  });
  const { isExpired, renewed, resume } = createRenewal(manager);
  let openWindow: AbortController | undefined;

  return {
    isExpired,
    tokens: {
      current: async () => {
        const user = await manager.getUser();
        return user && !user.expired ? user.access_token : renewed();
      },
      renewed,
    },
    /** Leaves the page for the provider's page, which returns to the path. */
    signIn: (returnTo: string) =>
      manager.signinRedirect({ state: returnTo, nonce: crypto.randomUUID() }),
    /** Reads the response of the provider. Returns the path to continue at. */
    finishSignIn: async (url: string): Promise<string> => {
      const { state } = await manager.signinRedirectCallback(url);
      return returnPath(state);
    },
    /** Whether the provider's response is for the window that opened this one to sign in again. */
    isForAnotherWindow: async (url: string) => {
      const state = new URL(url).searchParams.get('state');
      return state !== null && (await underWay.get(state)) === null;
    },
    handOver: (url: string) => manager.signinPopupCallback(url),
    signInAgain: async (): Promise<void> => {
      openWindow?.abort();
      openWindow = new AbortController();
      const before = await manager.getUser();
      const user = await manager.signinPopup({
        nonce: crypto.randomUUID(),
        popupSignal: openWindow.signal,
        // A window that has been at another origin looks closed.
        popupAbortOnClose: false,
      });
      // Another user must not see this page.
      if (before && before.profile.sub !== user.profile.sub) return window.location.assign('/');
      resume(user.access_token);
    },
    signOut: async () => {
      if (signIn.logoutUrl === undefined) return manager.signoutRedirect();
      await manager.removeUser();
      const query = new URLSearchParams({
        client_id: signIn.clientId,
        logout_uri: `${origin}${SIGNED_OUT}`,
      });
      window.location.assign(`${signIn.logoutUrl}?${query}`);
    },
  };
};

/** Renews tokens, also before they expire. */
const createRenewal = (manager: UserManager) => {
  const isExpired = createSignal(false);
  let signedInAgain = Promise.withResolvers<string>();
  let renewal: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const renewedUser = await renewSilently(manager);
    if (renewedUser) return renewedUser.access_token;
    isExpired.set(true);
    return signedInAgain.promise;
  };

  /** One renewal at a time, because a refresh token may be valid for only one use. */
  const renewed = (): Promise<string> => {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  manager.events.addAccessTokenExpiring(() => void renewed().catch(() => undefined));
  return {
    isExpired,
    renewed,
    /** Continues the calls that wait, after the user has signed in again. */
    resume: (token: string): void => {
      isExpired.set(false);
      signedInAgain.resolve(token);
      signedInAgain = Promise.withResolvers();
    },
  };
};

/** Undefined if the user has to sign in again. */
const renewSilently = async (manager: UserManager): Promise<User | null | undefined> => {
  // Without a refresh token the library opens a frame, which the page's policy refuses.
  if ((await manager.getUser())?.refresh_token === undefined) return undefined;
  return manager.signinSilent().catch((error: unknown) => {
    if (error instanceof ErrorResponse) return undefined;
    throw new NoAnswer('The sign-in cannot be renewed: there was no answer.', { cause: error });
  });
};
