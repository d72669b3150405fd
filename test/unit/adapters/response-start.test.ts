import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
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

  it('is what came in time, also when the event loop was blocked', async () => {
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

describe('the start of a compressed response', () => {
  const startOf = (body: Buffer, coding: string) =>
    readResponseStart(Readable.from([body]), {
      ...PATIENT,
      headers: { 'content-encoding': coding },
    });
  const CODINGS = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    [' GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const;

  const BOMBS = CODINGS.filter(([coding]) => coding === 'gzip' || coding === 'br');

  it.each(CODINGS)('is text: %s', async (coding, compress) => {
    const text = 'Der Schlüssel fehlt. ';
    expect(await startOf(compress(text), coding)).toBe(text);
  });

  it.each(CODINGS)(
    'is what can be read of a body that was cut off: %s',
    async (coding, compress) => {
      // The same every time, and little of it compresses.
      const text = Array.from({ length: 4_000 }, (_, at) => (at * at * 7_919) % 9_973).join(' ');
      const body = compress(text);
      const start = await startOf(body.subarray(0, body.length / 2), coding);
      expect(start).toBe(text.slice(0, KIB));
    },
  );

  it.each(BOMBS)(
    'is all that is decompressed of a body that grows a thousandfold: %s',
    async (coding, compress) => {
      const body = compress(Buffer.alloc(8_000_000, 'x'));
      const used = process.memoryUsage().arrayBuffers;
      expect(await startOf(body, coding)).toBe('x'.repeat(KIB));
      expect(process.memoryUsage().arrayBuffers - used).toBeLessThan(4_000_000);
    },
  );

  it.each(['gzip', 'br', 'zstd', 'gzip, br'])(
    'is the bytes as they came when they are not %s, or the coding is unknown',
    async (coding) => {
      expect(await startOf(Buffer.from('plain text'), coding)).toBe('plain text');
    },
  );
});

describe('the start of a response in a charset', () => {
  const startOf = (body: Buffer, type: string) =>
    readResponseStart(Readable.from([body]), { ...PATIENT, headers: { 'content-type': type } });

  it.each([
    ['text/plain; charset=iso-8859-1', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
    ['text/html;Charset="Shift_JIS"', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['text/plain; charset=utf-16', [0xff, 0xfe, 0x41, 0x00], 'A'],
    ['text/plain; charset=utf-8', [0xfe, 0xff, 0x00, 0x41], 'A'],
    ['text/plain; charset=iso-8859-1', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
    ['text/plain; charset=klingon', [0xc3, 0xa9], 'é'],
    ['application/json', [0xc3, 0xa9], 'é'],
  ])('is text: %s', async (type, bytes, text) => {
    expect(await startOf(Buffer.from(bytes), type)).toBe(text);
  });

  it('loses a character of two bytes that the cut at 1 KiB would split', async () => {
    const body = Buffer.concat([Buffer.alloc(KIB - 1, 'z'), Buffer.from([0x93, 0xfa])]);
    const type = 'text/plain; charset=shift_jis';
    expect(await startOf(body, type)).toBe('z'.repeat(KIB - 1));
  });
});
