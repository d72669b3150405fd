import './base.css';
import 'virtual:theme.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import type { ConsoleConfig } from '../serving/console-config.ts';
import { createApiClient } from './api/api-client.ts';
import { App } from './app.tsx';
import { createSession, type Session, SIGNED_IN, SIGNED_OUT } from './session/session.ts';
import { createSignal } from './shared/signal.ts';
import { followColourScheme } from './shell/colour-scheme.ts';
import { SignedOut, StartFailure, WindowDone } from './shell/start-pages.tsx';

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no place for the console.');
const root = createRoot(place);

const readConfig = async (): Promise<ConsoleConfig> => {
  const answer = await fetch('/config.json', { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`The console's configuration is missing (${answer.status}).`);
  return (await answer.json()) as ConsoleConfig;
};

const showApp = (config: ConsoleConfig, session: Session): void => {
  const isCutOff = createSignal(false);
  const api = createApiClient({ base: config.api, tokens: session.tokens, isCutOff });
  root.render(<App config={config} session={session} api={api} isCutOff={isCutOff} />);
};

/** Tokens are in memory, so that every load of the page begins at the provider, or comes from it. */
const start = async (): Promise<void> => {
  const { pathname, search, hash, href, origin } = window.location;
  const config = await readConfig();
  const session = createSession(config.signIn, origin);
  if (pathname === SIGNED_OUT) {
    root.render(<SignedOut onSignIn={() => void session.signIn('/').catch(showFailure)} />);
  } else if (pathname !== SIGNED_IN || search === '') {
    await session.signIn(pathname === SIGNED_IN ? '/' : `${pathname}${search}${hash}`);
  } else if (await session.isForAnotherWindow(href)) {
    root.render(<WindowDone />);
    await session.handOver(href);
  } else {
    window.history.replaceState(null, '', await session.finishSignIn(href));
    showApp(config, session);
  }
};

const showFailure = (error: unknown): void => root.render(<StartFailure error={error} />);

followColourScheme();
start().catch(showFailure);
