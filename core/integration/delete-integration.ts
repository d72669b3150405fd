import { Refusal } from '../refusal.ts';
import type { SettingsChange } from './change-integration.ts';
import { type Pause, untilMade } from './contended-change.ts';
import type { ChangingIntegrations, IntegrationStore, Precondition } from './integration.ts';

export type DeleteIntegration = (request: {
  account: string;
  id: string;
  precondition: Precondition;
}) => Promise<void>;

/**
 * Deletes an integration, and has its pending events and its delivery log removed. Throws
 * `not-found`, `conflict`, and what the precondition throws.
 */
export const buildDeleteIntegration =
  (ports: {
    integrations: IntegrationStore & ChangingIntegrations;
    settingsChange: Pick<SettingsChange, 'beforeDeletion' | 'afterDeletion'>;
    /** Without it, the next try follows at once. */
    pause: Pause;
  }): DeleteIntegration =>
  async ({ account, id, precondition }) => {
    const deleted = await untilMade(async () => {
      const stored = await ports.integrations.find(account, id);
      if (stored === undefined) throw new Refusal('not-found', 'There is no such integration.');
      precondition(stored);
      await ports.settingsChange.beforeDeletion(stored);
      return (await ports.integrations.remove(stored)) ? stored : undefined;
    }, ports.pause);
    await ports.settingsChange.afterDeletion(deleted);
  };
