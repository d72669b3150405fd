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

export const SIGNED_IN = '/signed-in';
export const SIGNED_OUT = '/signed-out';

/** Of one person in one window. Tokens are in memory alone: a reload asks the provider again. */
export interface Session {
  readonly tokens: Tokens;
  /** Whether the person has to sign in again; calls wait until then. */
  readonly isExpired: Signal<boolean>;
  /** Leaves the page for the provider's, which comes back to the path. */
  readonly signIn: (returnTo: string) => Promise<void>;
  /** Takes what the provider came back with. Returns the path to go on at. */
  readonly finishSignIn: (url: string) => Promise<string>;
  /** Whether the provider's answer is for a window that `signInAgain` opened this one from. */
  readonly isForAnotherWindow: (url: string) => Promise<boolean>;
  readonly handOver: (url: string) => Promise<void>;
  /** Opens a window to sign in at, and leaves this page as it is. */
  readonly signInAgain: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

export const createSession = (signIn: ConsoleConfig['signIn'], origin: string): Session => {
  const isExpired = createSignal(false);
  /** The state, the nonce and the verifier of a sign-in that is under way: no token is among them. */
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
  manager.events.addAccessTokenExpiring(() => void renewed().catch(() => undefined));

  let signedInAgain = Promise.withResolvers<string>();
  let renewal: Promise<string> | undefined;
  let openWindow: AbortController | undefined;

  /** One renewal at a time: a refresh token may be good for one use. */
  const renewed = (): Promise<string> => {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  const renew = async (): Promise<string> => {
    const renewedUser = await renewSilently();
    if (renewedUser) return renewedUser.access_token;
    isExpired.set(true);
    return signedInAgain.promise;
  };

  /** Undefined where the provider wants to see the person. */
  const renewSilently = async (): Promise<User | null | undefined> => {
    // Without a refresh token the library would open a frame, which the page's policy refuses.
    if ((await manager.getUser())?.refresh_token === undefined) return undefined;
    return manager.signinSilent().catch((error: unknown) => {
      if (error instanceof ErrorResponse) return undefined;
      throw new NoAnswer('The sign-in cannot be renewed: no answer came.', { cause: error });
    });
  };

  return {
    isExpired,
    tokens: {
      current: async () => {
        const user = await manager.getUser();
        return user && !user.expired ? user.access_token : renewed();
      },
      renewed,
    },
    signIn: (returnTo) => manager.signinRedirect({ state: returnTo, nonce: crypto.randomUUID() }),
    finishSignIn: async (url) => {
      const user = await manager.signinRedirectCallback(url);
      return typeof user.state === 'string' ? user.state : '/';
    },
    isForAnotherWindow: async (url) => {
      const state = new URL(url).searchParams.get('state');
      return state !== null && (await underWay.get(state)) === null;
    },
    handOver: (url) => manager.signinPopupCallback(url),
    signInAgain: async () => {
      openWindow?.abort();
      openWindow = new AbortController();
      const before = await manager.getUser();
      const user = await manager.signinPopup({
        nonce: crypto.randomUUID(),
        popupSignal: openWindow.signal,
        // A window that has been at another origin looks closed to this one.
        popupAbortOnClose: false,
      });
      // What is on the page is not for another person.
      if (before && before.profile.sub !== user.profile.sub) return window.location.assign('/');
      isExpired.set(false);
      signedInAgain.resolve(user.access_token);
      signedInAgain = Promise.withResolvers();
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
