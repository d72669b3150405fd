import { describe, expect, it } from 'vitest';
import { faultDelayMs } from '../../../../lambdas/deliver/runtime/sqs-batch.ts';
import { limits } from '../../../../lib/limits.ts';

const SHORTEST = 0;
const LONGEST = 1;

const sumOfDelaysMs = (receives: number, random: number): number =>
  Array.from({ length: receives }, (_, index) => faultDelayMs(index + 1, random)).reduce(
    (sum, delayMs) => sum + delayMs,
    0,
  );

describe('the delay of a record that failed by our fault', () => {
  it('is some seconds at first and a minute later', () => {
    expect([1, 2, 3, 4, 5, 6, 100].map((receives) => faultDelayMs(receives, 0.5))).toEqual([
      5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000,
    ]);
  });

  it('is half an hour for what failed a hundred times', () => {
    expect(faultDelayMs(101, 0.5)).toBe(1_800_000);
  });

  it('is a fifth shorter or longer by chance', () => {
    expect([SHORTEST, LONGEST].map((random) => faultDelayMs(1, random))).toEqual([4_000, 6_000]);
  });

  it('keeps a message from the dead letters for the 14 days that its queue keeps it', () => {
    expect(sumOfDelaysMs(limits.receives - 1, SHORTEST)).toBeGreaterThan(14 * 86_400_000);
  });

  it('gives up an hourly retry well before the next hour', () => {
    expect(sumOfDelaysMs(limits.retryReceives - 1, LONGEST)).toBeLessThan(1_800_000);
  });
});
