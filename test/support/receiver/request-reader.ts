import type { ReceivedRequest } from './received-requests.ts';

export type ParsedRequest = Omit<ReceivedRequest, 'arrivedAt' | 'connection' | 'isResumed'>;

const HEAD_END = '\r\n\r\n';

/**
 * Reads HTTP/1.1 requests with a Content-Length off a byte stream, by hand: what came is then
 * known to the byte, and answering is left to behaviours that no HTTP library would allow.
 */
export class RequestReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Takes what arrived; gives the requests that are whole with it. */
  push(chunk: Buffer): ParsedRequest[] {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const whole: ParsedRequest[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) whole.push(next);
    return whole;
  }

  #take(): ParsedRequest | undefined {
    const headEnd = this.#pending.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const head = parseHead(this.#pending.subarray(0, headEnd).toString('latin1'));
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(head.headers['content-length'] ?? 0);
    if (this.#pending.length < bodyEnd) return undefined;
    const body = Buffer.from(this.#pending.subarray(bodyStart, bodyEnd));
    this.#pending = this.#pending.subarray(bodyEnd);
    return { ...head, body };
  }
}

const parseHead = (text: string): Omit<ParsedRequest, 'body'> => {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const [method = '', path = '', httpVersion = ''] = requestLine.split(' ');
  const rawHeaders = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  const headers = Object.fromEntries(
    rawHeaders.map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { method, path, httpVersion, rawHeaders, headers };
};
