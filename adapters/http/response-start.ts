import type { Readable } from 'node:stream';

const MAX_READ_BYTES = 16_384;
const KEPT_BYTES = 1_024;

/** Never throws: the head has decided. A body within the limits leaves the connection usable. */
export const readResponseStart = async (
  body: Readable,
  { maxReadMs }: { maxReadMs: number },
): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A blocked event loop runs its timers before it reads: it reads before the immediate.
  const timer = setTimeout(() => setImmediate(() => body.destroy()), maxReadMs);
  try {
    for await (const chunk of body) {
      if (bytes < KEPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {
    // The endpoint or the time limit cut the body off: its start is kept.
  } finally {
    clearTimeout(timer);
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // With `stream`, a character that was cut in two is dropped.
  return new TextDecoder().decode(kept, { stream: kept.length === KEPT_BYTES });
};
