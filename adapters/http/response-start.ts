import type { Readable } from 'node:stream';

/** At most this much of a response is read, and this much of it kept for the delivery log. */
const MAX_READ_BYTES = 16_384;
const KEPT_BYTES = 1_024;
/** A body that trickles must not hold the batch: the status is known already. */
const MAX_READ_MS = 2_000;

/**
 * First KiB of a response's body as text. Never throws: the head has decided the outcome. A body
 * that ends within the limits leaves its connection reusable; one that does not is cut off.
 */
export const readResponseStart = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), MAX_READ_MS);
  try {
    for await (const chunk of body) {
      if (bytes < KEPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {
    // Cut off by the endpoint, by its size or by the time: what was read so far is kept.
  } finally {
    clearTimeout(timer);
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // `stream` drops a character that the cut has split.
  return new TextDecoder().decode(kept, { stream: kept.length === KEPT_BYTES });
};
