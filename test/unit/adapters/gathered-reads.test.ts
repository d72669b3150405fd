import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatheredReads } from '../../../adapters/gathered-calls.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const STORED = anIntegration();

const counted = () => {
  const stored = new InMemoryIntegrations(STORED);
  const calls: string[][] = [];
  const reads = gatheredReads({
    findAll: (keys) => {
      calls.push(keys.map(({ id }) => id));
      return stored.findAll(keys);
    },
  });
  return { stored, calls, find: (id = STORED.id) => reads.find('acme', id) };
};

describe('gathered reads of integrations', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are one call for those who ask within five milliseconds', async () => {
    const { find, calls } = counted();
    const first = find();
    await vi.advanceTimersByTimeAsync(4);
    const others = [find(), find('another00000')];
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all([first, ...others])).toEqual([STORED, STORED, undefined]);
    expect(calls).toEqual([[STORED.id, STORED.id, 'another00000']]);
  });

  it('show what was stored before they were asked for, never an earlier answer', async () => {
    const { find, calls, stored } = counted();
    const before = find();
    await vi.advanceTimersByTimeAsync(5);
    expect(await before).toEqual(STORED);
    await stored.remove(STORED);
    const after = find();
    await vi.advanceTimersByTimeAsync(5);
    expect(await after).toBeUndefined();
    expect(calls).toHaveLength(2);
  });
});
