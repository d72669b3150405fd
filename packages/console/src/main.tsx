import './base.css';
import 'virtual:theme.css';
import './console.css';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import type { ConsoleConfig } from '../serving/console-config.ts';
import { createApiClient } from './api/api-client.ts';
import { createQueryClient } from './api/query-client.ts';
import { ConsoleProvider } from './console-context.ts';
import { createConsoleRouter } from './routes.tsx';
import {
  forgetLink,
  isUsedLink,
  openLink,
  platformPageOf,
  takeCode,
  wasOpenedByLink,
} from './session/link-session.ts';
import { createSession, type Session, SIGNED_IN, SIGNED_OUT } from './session/session.ts';
import { createSignal } from './shared/signal.ts';
import { isEmbedded } from './shell/embedding.ts';
import {
  LinkExpired,
  OpenedByPlatform,
  SignedOut,
  StartFailure,
  WindowDone,
} from './shell/start-pages.tsx';
import { applyTheme } from './shell/theme.ts';

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no element for the console.');
const root = createRoot(place);

const readConfig = async (): Promise<ConsoleConfig> => {
  const answer = await fetch('/config.json', { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`The console's configuration is missing (${answer.status}).`);
  return (await answer.json()) as ConsoleConfig;
};

const showConsole = (config: ConsoleConfig, session: Session): void => {
  const isCutOff = createSignal(false);
  const api = createApiClient({ base: config.api, tokens: session.tokens, isCutOff });
  root.render(
    <I18nProvider locale="en" messages={[messages]}>
      <ConsoleProvider value={{ config, session, api, isCutOff }}>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={createConsoleRouter()} />
        </QueryClientProvider>
      </ConsoleProvider>
    </I18nProvider>,
  );
};

const showByLink = async (config: ConsoleConfig, code: string): Promise<void> => {
  try {
    showConsole(config, await openLink(config.api, code));
  } catch (error) {
    if (!isUsedLink(error)) throw error;
    root.render(<LinkExpired {...otherWays(config)} />);
  }
};

/** A frame cannot show the provider's page. */
const otherWays = (config: ConsoleConfig) => {
  const { signIn } = config;
  const { location } = window;
  const begin = (provider: NonNullable<typeof signIn>) => {
    forgetLink();
    const { pathname, search, hash, origin } = location;
    createSession(provider, origin).signIn(`${pathname}${search}${hash}`).catch(showFailure);
  };
  return {
    platformPage: platformPageOf(config, location),
    onSignIn: signIn && !isEmbedded() ? () => begin(signIn) : undefined,
  };
};

/** Tokens are kept in memory, so every load of the page goes through a link or the provider. */
const start = async (code: string | undefined): Promise<void> => {
  const config = await readConfig();
  if (code !== undefined) return showByLink(config, code);
  const { pathname, search, hash, href, origin } = window.location;
  if (
    config.signIn === undefined ||
    isEmbedded() ||
    (wasOpenedByLink() && pathname !== SIGNED_OUT)
  ) {
    return root.render(<OpenedByPlatform {...otherWays(config)} />);
  }
  const session = createSession(config.signIn, origin);
  if (pathname === SIGNED_OUT) {
    forgetLink();
    root.render(<SignedOut onSignIn={() => void session.signIn('/').catch(showFailure)} />);
  } else if (pathname !== SIGNED_IN || search === '') {
    await session.signIn(pathname === SIGNED_IN ? '/' : `${pathname}${search}${hash}`);
  } else if (await session.isForAnotherWindow(href)) {
    root.render(<WindowDone />);
    await session.handOver(href);
  } else {
    window.history.replaceState(null, '', await session.finishSignIn(href));
    showConsole(config, session);
  }
};

const showFailure = (error: unknown, code?: string): void => {
  const retry = () => {
    // Without the button: a second click would use the code twice.
    root.render(null);
    if (code === undefined) window.location.assign('/');
    else begin(code);
  };
  root.render(<StartFailure error={error} onRetry={retry} />);
};

const begin = (code: string | undefined): void => {
  start(code).catch((error: unknown) => showFailure(error, code));
};

/** A new link to the page that is shown changes the fragment alone, which loads nothing. */
const followLinks = (): void =>
  window.addEventListener('hashchange', () => {
    if (window.location.hash.startsWith('#code=')) window.location.reload();
  });

applyTheme(window.location.search);
followLinks();
begin(takeCode(window.location));
