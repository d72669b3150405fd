import type { Readable } from 'node:stream';

/** At most this much of a response's body is read. */
const MAX_READ_BYTES = 16_384;
/** This much of a response's body is kept for the delivery log. */
const KEPT_BYTES = 1_024;

/**
 * The first KiB of a response's body as text. Never throws: the head has decided the outcome. After
 * a body that ends within the limits, the connection can be reused; a longer body is cut off.
 */
export const readResponseStart = async (
  body: Readable,
  { maxReadMs }: { maxReadMs: number },
): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An event loop that was blocked runs its timers before it reads what has arrived meanwhile. The
  // loop reads between a timer and an immediate.
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
