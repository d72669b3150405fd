import type { HttpAnswer, HttpRequest } from '../http-server.ts';

/** A call of AWS, through a socket or handed over by a sandbox of this process. */
export type AwsRequest = Omit<HttpRequest, 'rawHeaders' | 'sourceIp'>;

/** A call whose body was parsed, once for everybody who reads it. */
export interface ParsedAwsRequest extends AwsRequest {
  /** What the body is as JSON; undefined when it is something else. Who answers may change it. */
  readonly input: unknown;
}

export const parseRequest = (request: AwsRequest): ParsedAwsRequest => ({
  ...request,
  input: jsonIn(request.body),
});

const jsonIn = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

// DynamoDB's limit: of the emulated services, DynamoDB allows the largest requests.
export const MAXIMUM_REQUEST_BYTES = 16 * 1024 * 1024;

/** Answers a call of AWS. A rejection breaks the caller's connection. */
export type AnswerAws = (request: AwsRequest) => Promise<HttpAnswer>;
