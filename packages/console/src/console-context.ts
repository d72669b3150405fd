import { createContext, useContext } from 'react';
import type { ConsoleConfig } from '../serving/console-config.ts';
import type { ApiClient } from './api/api-client.ts';
import type { Session } from './session/session.ts';
import type { Signal } from './shared/signal.ts';

export interface ConsoleContext {
  readonly config: ConsoleConfig;
  readonly session: Session;
  readonly api: ApiClient;
  /** Whether the latest call got no response. */
  readonly isCutOff: Signal<boolean>;
}

const Context = createContext<ConsoleContext | undefined>(undefined);

export const ConsoleProvider = Context.Provider;

export const useConsole = (): ConsoleContext => {
  const context = useContext(Context);
  if (context === undefined) throw new Error('This component belongs to the console.');
  return context;
};

export const useApi = (): ApiClient => useConsole().api;
