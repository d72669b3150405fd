import { Refusal } from '../refusal.ts';
import { type Pause, untilMade } from './contended-change.ts';
import type {
  ChangingIntegrations,
  Integration,
  IntegrationSettings,
  IntegrationStore,
} from './integration.ts';

/**
 * Makes the settings that a change sets from the stored integration; settings that are left out
 * stay. Called again when another change was stored in between. May throw a refusal.
 */
type NewSettings = (
  stored: Integration,
) => Partial<IntegrationSettings> | Promise<Partial<IntegrationSettings>>;

export type ChangeIntegration = (
  integration: { account: string; id: string },
  newSettings: NewSettings,
) => Promise<Integration>;

/**
 * What delivering does before and after a change or a deletion. The steps before: a process that
 * dies after the change loses nothing. The steps after: the change takes effect. Each step may be
 * repeated.
 */
export interface SettingsChange {
  beforeChange(stored: Integration, changed: Integration): Promise<void>;
  afterChange(stored: Integration, changed: Integration): Promise<void>;
  beforeDeletion(stored: Integration): Promise<void>;
  afterDeletion(stored: Integration): Promise<void>;
}

/**
 * Changes an integration's settings, which ends its trouble. Throws `not-found`, `conflict`, and
 * what `newSettings` throws.
 */
export const buildChangeIntegration =
  (ports: {
    integrations: IntegrationStore & ChangingIntegrations;
    settingsChange: Pick<SettingsChange, 'beforeChange' | 'afterChange'>;
    now: () => Date;
    /** Without it, the next try follows at once. */
    pause: Pause;
  }): ChangeIntegration =>
  ({ account, id }, newSettings) =>
    untilMade(async () => {
      const stored = await ports.integrations.find(account, id);
      if (stored === undefined) throw new Refusal('not-found', 'There is no such integration.');
      const changed = changedTo(stored, await newSettings(stored), ports.now());
      await ports.settingsChange.beforeChange(stored, changed);
      if (!(await ports.integrations.replace(changed, stored))) return undefined;
      await ports.settingsChange.afterChange(stored, changed);
      return changed;
    }, ports.pause);

/** The epoch grows by two: the epoch between is for the schedule made before the change. */
const changedTo = (
  { trouble: _, streak: __, ...stored }: Integration,
  settings: Partial<IntegrationSettings>,
  now: Date,
): Integration => ({
  ...stored,
  ...settings,
  revision: stored.revision + 1,
  epoch: stored.epoch + 2,
  updatedAt: now.toISOString(),
});
