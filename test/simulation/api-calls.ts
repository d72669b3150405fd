import { Refusal } from '../../core/refusal.ts';
import type { Process } from './machine.ts';
import type { World } from './world.ts';

/** API Gateway waits so long for a function. */
const LIFETIME_MS = 29_000;

/** Calls the API. If the call fails without a refusal, the caller repeats it or not, by chance. */
export const callApi = (
  world: World,
  name: string,
  run: (process: Process) => Promise<void>,
): void => {
  const { machine, journal } = world;
  world.hourlyPosts?.called();
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
