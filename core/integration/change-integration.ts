import { Refusal } from '../refusal.ts';
import type { Actor, Integration, IntegrationKey, IntegrationReader } from './integration.ts';
import type { IntegrationWriter } from './integration-store.ts';
import { buildGetIntegration } from './read-integration.ts';
import type { IntegrationSettings } from './settings.ts';

/** Throws a `precondition-failed` refusal when the caller's condition is not met. */
export type Precondition = (stored: Integration) => void;

/** Omitted settings stay. Called again after another change. May throw a refusal. */
type NewSettings = (
  stored: Integration,
) => Partial<IntegrationSettings> | Promise<Partial<IntegrationSettings>>;

export type ChangeIntegration = (
  integration: IntegrationKey & { by: Actor },
  newSettings: NewSettings,
) => Promise<Integration>;

/**
 * The delivery side of a change or a deletion. The steps before it ensure that a process that dies
 * loses nothing; those after put it into effect. Each may be repeated.
 */
export interface SettingsChange {
  beforeChange(stored: Integration, changed: Integration): Promise<void>;
  afterChange(stored: Integration, changed: Integration): Promise<void>;
  beforeDeletion(stored: Integration): Promise<void>;
  afterDeletion(stored: Integration): Promise<void>;
}

/** Ends the trouble, too. Throws `not-found`, `conflict`, and the refusals of `newSettings`. */
export const buildChangeIntegration = (ports: {
  integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'replace'>;
  settingsChange: Pick<SettingsChange, 'beforeChange' | 'afterChange'>;
  now: () => Date;
  pause: Pause;
}): ChangeIntegration => {
  const getIntegration = buildGetIntegration(ports);
  return ({ account, id, by }, newSettings) =>
    untilMade(async () => {
      const stored = await getIntegration(account, id);
      const changed = changedTo(stored, await newSettings(stored), { by, now: ports.now() });
      await ports.settingsChange.beforeChange(stored, changed);
      if (!(await ports.integrations.replace(changed, stored))) return undefined;
      await ports.settingsChange.afterChange(stored, changed);
      return changed;
    }, ports.pause);
};

/** The epoch grows by two: the epoch between is for the schedule made before the change. */
const changedTo = (
  { trouble: _, streak: __, ...stored }: Integration,
  settings: Partial<IntegrationSettings>,
  { by, now }: { by: Actor; now: Date },
): Integration => ({
  ...stored,
  ...settings,
  inactiveSince:
    (settings.active ?? stored.active)
      ? undefined
      : stored.active
        ? now.toISOString()
        : stored.inactiveSince,
  revision: stored.revision + 1,
  epoch: stored.epoch + 2,
  updatedAt: now.toISOString(),
  changedBy: { ...by, at: now.toISOString() },
});

export type DeleteIntegration = (
  request: IntegrationKey & { by: Actor; precondition: Precondition },
) => Promise<void>;

/** Throws `not-found`, `conflict`, and the refusal of the precondition. */
export const buildDeleteIntegration = (ports: {
  integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'remove'>;
  settingsChange: Pick<SettingsChange, 'beforeDeletion' | 'afterDeletion'>;
  now: () => Date;
  pause: Pause;
}): DeleteIntegration => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id, by, precondition }) => {
    const deleted = await untilMade(async () => {
      const stored = await getIntegration(account, id);
      precondition(stored);
      await ports.settingsChange.beforeDeletion(stored);
      const deletedBy = { ...by, at: ports.now().toISOString() };
      return (await ports.integrations.remove(stored, deletedBy)) ? stored : undefined;
    }, ports.pause);
    await ports.settingsChange.afterDeletion(deleted);
  };
};

/** With the longest pauses nine tries take 2.4 s: callers can cause them, and occupy a function. */
const MAX_TRIES = 9;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/** Waits after a number of tries that another change overtook. */
export type Pause = (lostTries: number) => Promise<unknown>;

/** A random pause up to a limit that doubles with each try, so that two changes do not collide again. */
export const buildPause =
  (ports: {
    /** Uniform in [0, 1). */
    random: () => number;
    sleep: (milliseconds: number) => Promise<unknown>;
  }): Pause =>
  (lostTries) =>
    ports.sleep(ports.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (lostTries - 1)));

/** A try is undefined after another change. Throws `conflict` after too many tries. */
export const untilMade = async <Made>(
  tryOnce: () => Promise<Made | undefined>,
  pause: Pause,
): Promise<Made> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const made = await tryOnce();
    if (made !== undefined) return made;
    if (tries < MAX_TRIES) await pause(tries);
  }
  throw new Refusal(
    'conflict',
    'Other requests are changing the integration. Try again in a second.',
  );
};
