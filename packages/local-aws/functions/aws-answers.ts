import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type AnswerAws, type AwsRequest, MAXIMUM_REQUEST_BYTES } from '../aws/aws-request.ts';
import { addressIn } from '../http-server.ts';
import type { AwsAnswer, AwsCall } from './runtime-messages.ts';

export const answerCall = async (call: AwsCall, answerAws: AnswerAws): Promise<AwsAnswer> => {
  const { id } = call;
  try {
    const { status, headers, body } = await answerAws(requestOf(call));
    return { kind: 'answer', id, response: { status, headers: Object.fromEntries(headers), body } };
  } catch {
    return { kind: 'answer', id };
  }
};

const requestOf = ({ method, path: url, headers, body = '' }: AwsCall): AwsRequest => {
  const bytes =
    typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    method,
    ...addressIn(url),
    headers: lowerCased(headers),
    body: bytes,
    tooLarge: bytes.length > MAXIMUM_REQUEST_BYTES,
    // Only a long poll ends with its client, and functions do not poll.
    clientGone: new AbortController().signal,
  };
};

/** As a server has them. */
const lowerCased = (headers: OutgoingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
