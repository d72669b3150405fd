import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readResponseStart } from '../../../adapters/http/response-start.ts';

const KIB = 1_024;
const PATIENT = { maxReadMs: 5_000 };

/** The rest of the event loop goes on by itself. */
const useTimersByHand = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe('the start of a response', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is read to 16 KiB and not much further, then cut off', async () => {
    let producedBytes = 0;
    const long = new Readable({
      highWaterMark: KIB,
      read() {
        producedBytes += KIB;
        this.push(producedBytes > 1_024 * KIB ? null : Buffer.alloc(KIB, 'x'));
      },
    });
    expect(await readResponseStart(long, PATIENT)).toBe('x'.repeat(KIB));
    expect(producedBytes).toBeGreaterThan(16 * KIB);
    // What ends the reading, and what the stream has read ahead.
    expect(producedBytes).toBeLessThanOrEqual(19 * KIB);
    expect(long.destroyed).toBe(true);
  });

  it('is put together from pieces, a character split between them too', async () => {
    const bytes = Buffer.from('Grüße 👋');
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await readResponseStart(Readable.from(pieces), PATIENT)).toBe('Grüße 👋');
  });

  it('is what came before the response broke', async () => {
    const breaking = async function* () {
      yield Buffer.from('so far');
      throw new Error('reset');
    };
    expect(await readResponseStart(Readable.from(breaking()), PATIENT)).toBe('so far');
  });

  it('is empty when there is no body', async () => {
    expect(await readResponseStart(Readable.from([]), PATIENT)).toBe('');
  });

  it('is what has come when the time is up', async () => {
    useTimersByHand();
    const endless = new Readable({ read() {} });
    endless.push('so far');
    const reading = readResponseStart(endless, { maxReadMs: 200 });
    vi.advanceTimersByTime(199);
    expect(endless.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await reading).toBe('so far');
    expect(endless.destroyed).toBe(true);
  });

  it('is what came in time, also when the event loop was blocked until the time was up', async () => {
    useTimersByHand();
    const dripping = new Readable({ read() {} });
    const reading = readResponseStart(dripping, { maxReadMs: 200 });
    // After a block the loop runs its timers first, and then reads what has arrived.
    vi.advanceTimersByTime(200);
    dripping.push('so far');
    expect(await reading).toBe('so far');
    expect(dripping.destroyed).toBe(true);
  });
});
