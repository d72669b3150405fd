import { Refusal } from '../refusal.ts';
import { MAX_TRIES, type SettingsChange } from './change-integration.ts';
import type { ChangingIntegrations, IntegrationStore, Precondition } from './integration.ts';

export type DeleteIntegration = (request: {
  account: string;
  id: string;
  precondition: Precondition;
}) => Promise<void>;

/**
 * Deletes an integration, and has its pending events and its delivery log removed. Throws
 * `not-found`, and what the precondition throws.
 */
export const buildDeleteIntegration =
  (ports: {
    integrations: IntegrationStore & ChangingIntegrations;
    settingsChange: Pick<SettingsChange, 'beforeDeletion' | 'afterDeletion'>;
  }): DeleteIntegration =>
  async ({ account, id, precondition }) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await ports.integrations.find(account, id);
      if (stored === undefined) throw new Refusal('not-found', 'There is no such integration.');
      precondition(stored);
      await ports.settingsChange.beforeDeletion(stored);
      if (!(await ports.integrations.remove(stored))) continue;
      await ports.settingsChange.afterDeletion(stored);
      return;
    }
    throw new Error(`Integration ${id} changes too often to be deleted.`);
  };
