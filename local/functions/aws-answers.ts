import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type AnswerAws, type AwsRequest, MAXIMUM_REQUEST_BYTES } from '../aws/aws-request.ts';
import { addressIn } from '../http-server.ts';
import type { AwsCall, RunMessage } from './runtime-messages.ts';

/** Answers the calls of AWS that one sandbox hands over. */
export class AwsAnswers {
  readonly #answerAws: AnswerAws;
  readonly #post: (message: RunMessage) => void;
  /** Of the calls that are not answered yet, by their id. */
  readonly #open = new Map<number, AbortController>();

  constructor(answerAws: AnswerAws, post: (message: RunMessage) => void) {
    this.#answerAws = answerAws;
    this.#post = post;
  }

  async answer(call: AwsCall): Promise<void> {
    const { id } = call;
    const gone = new AbortController();
    this.#open.set(id, gone);
    try {
      const { status, headers, body } = await this.#answerAws(requestOf(call, gone.signal));
      this.#post({ kind: 'answer', id, status, headers: Object.fromEntries(headers), body });
    } catch {
      this.#post({ kind: 'callEnd', id });
    } finally {
      this.#open.delete(id);
    }
  }

  /** The sandbox does not wait for the answer any more. */
  end(id: number): void {
    this.#open.get(id)?.abort();
  }

  /** The sandbox has ended. */
  endAll(): void {
    for (const gone of this.#open.values()) gone.abort();
  }
}

const requestOf = (
  { method, path: url, headers, body = '' }: AwsCall,
  clientGone: AbortSignal,
): AwsRequest => {
  const bytes = bytesOf(body);
  return {
    method,
    ...addressIn(url),
    headers: lowerCased(headers),
    body: bytes,
    tooLarge: bytes.length > MAXIMUM_REQUEST_BYTES,
    clientGone,
  };
};

const bytesOf = (body: string | Uint8Array): Buffer =>
  typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** As a server has them. */
const lowerCased = (headers: OutgoingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
