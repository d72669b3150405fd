import {
  type AdministrationPorts,
  buildAdministration,
} from '../../../core/directory/administration.ts';
import { inMemoryDirectory } from './in-memory-directory.ts';

/** Use cases over a Directory in memory; every draw of random bytes is another, every clock read a second later. */
export const administrationInMemory = (replaced: Partial<AdministrationPorts> = {}) => {
  const directory = inMemoryDirectory();
  let draws = 0;
  let readings = 0;
  const administration = buildAdministration({
    ...directory,
    now: () => new Date(Date.UTC(2026, 10, 20, 12, 0, readings++)),
    randomBytes: (size) => Buffer.alloc(size, ++draws),
    ...replaced,
  });
  return { directory, administration };
};
