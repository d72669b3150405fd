import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLimiter } from '../../../packages/console/src/api/limiter.ts';

it('a limiter runs at most so many tasks at a time, in order, also after one failed', async () => {
  const inTurn = createLimiter(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const results = Promise.allSettled(
    gates.map(({ promise }, index) =>
      inTurn(async () => {
        begun.push(index);
        await promise;
        return index;
      }),
    ),
  );
  await setImmediate();
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('refused'));
  await setImmediate();
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
