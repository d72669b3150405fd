import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

const MAX_READ_BYTES = 16_384;
const KEPT_BYTES = 1_024;

type BodyHeaders = Pick<IncomingHttpHeaders, 'content-encoding' | 'content-type'>;

/**
 * The first KiB of a response's body as text. Never throws: the head has decided. A body within the
 * limits leaves the connection usable.
 */
export const readResponseStart = async (
  body: Readable,
  { maxReadMs, headers = {} }: { maxReadMs: number; headers?: BodyHeaders },
): Promise<string> => {
  // A blocked event loop runs its timers before it reads: it reads before the immediate.
  const timer = setTimeout(() => setImmediate(() => body.destroy()), maxReadMs);
  const read = await startOf(body, MAX_READ_BYTES);
  clearTimeout(timer);
  const decoded = await withoutCoding(read, headers['content-encoding']);
  const kept = decoded.subarray(0, KEPT_BYTES);
  // With `stream`, a character that was cut in two is dropped.
  const isCut = kept.length === KEPT_BYTES;
  return textDecoder(kept, headers['content-type']).decode(kept, { stream: isCut });
};

/** The bytes of a stream until there are more than `most`, or until it breaks. */
const startOf = async (stream: Readable, most: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > most) break;
    }
  } catch {
    // The endpoint or the time limit cut the body off: its start is kept.
  }
  return Buffer.concat(chunks);
};

const unzip = () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });

/** By content coding. Each gives what it can of a body that was cut off. */
const DECOMPRESSORS = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', unzip],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/** Some endpoints compress their answers unasked. Bytes that cannot be read so stay as they are. */
const withoutCoding = async (bytes: Buffer, coding = ''): Promise<Buffer> => {
  const decompressor = DECOMPRESSORS.get(coding.trim().toLowerCase())?.();
  if (decompressor === undefined) return bytes;
  decompressor.end(bytes);
  const decoded = await startOf(decompressor, KEPT_BYTES);
  return decoded.length === 0 ? bytes : decoded;
};

const BYTE_ORDER_MARKS = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
] as const;

/** By the byte order mark, else by the `charset` of the content type; UTF-8 if that is unknown. */
const textDecoder = (bytes: Buffer, contentType = ''): TextDecoder => {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => bytes.indexOf(mark) === 0)?.[0];
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(marked ?? charset);
  } catch {
    return new TextDecoder();
  }
};
