import { type Through, throughCall } from './called-ports.ts';

/**
 * The ports of a process that dies: so many of their calls take effect, and none after them. Its
 * owner sees the process reject with `died`.
 */
export const dyingAfter = (calls: number): Through => {
  let left = calls;
  return throughCall((effect) => {
    left -= 1;
    return left >= 0 ? effect() : Promise.reject(new Error('died'));
  });
};
