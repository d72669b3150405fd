import { Refusal } from '../../core/refusal.ts';
import type { Process } from './machine.ts';
import type { World } from './world.ts';

/** API Gateway gives up after that. */
const LIFETIME_MS = 29_000;

/** A caller whose call did not succeed makes it again, or does not. */
export const callApi = (
  world: World,
  name: string,
  run: (process: Process) => Promise<void>,
): void => {
  const { machine, journal } = world;
  let isRefused = false;
  const call = async (process: Process): Promise<void> => {
    try {
      await run(process);
      journal.saw(`${name} done`);
    } catch (fault) {
      isRefused = fault instanceof Refusal;
      if (!isRefused) throw fault;
    }
  };
  const ended: Process['ended'] = (how) => {
    if (how === 'returned' || isRefused || machine.random.happens(0.5)) return;
    journal.saw(`${name} repeated`);
    machine.start(name, call, { lifetimeMs: LIFETIME_MS, ended });
  };
  machine.start(name, call, { lifetimeMs: LIFETIME_MS, ended });
};
