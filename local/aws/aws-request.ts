import type { HttpAnswer, HttpRequest } from '../http-server.ts';

/** A call of AWS, through a socket or handed over by a sandbox of this process. */
export type AwsRequest = Omit<HttpRequest, 'rawHeaders' | 'sourceIp'>;

// DynamoDB's limit: of the emulated services, DynamoDB allows the largest requests.
export const MAXIMUM_REQUEST_BYTES = 16 * 1024 * 1024;

/** Answers a call of AWS. A rejection breaks the caller's connection. */
export type AnswerAws = (request: AwsRequest) => Promise<HttpAnswer>;
