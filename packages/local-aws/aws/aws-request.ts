import { randomUUID } from 'node:crypto';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';

/** A call of AWS, through a socket or handed over by a sandbox of this process. */
export type AwsRequest = Omit<HttpRequest, 'rawHeaders' | 'sourceIp'>;

/** A call whose body was parsed once, for the access guard and the service. */
export interface ParsedAwsRequest extends AwsRequest {
  /** The parsed JSON of the body; undefined when it is not JSON. The answering service may change it. */
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

/** An error answer of an AWS API: the request is wrong, or asks for what is not emulated. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const jsonAnswer = (body: unknown): HttpAnswer => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: JSON.stringify(body),
});

/** An error that SDKs understand in the JSON and in the REST-JSON protocol. */
export const jsonError = ({ code, message, status }: AwsError): HttpAnswer => ({
  status,
  headers: [
    ['content-type', 'application/x-amz-json-1.0'],
    ['x-amzn-errortype', code],
  ],
  body: JSON.stringify({ __type: code, message, Message: message }),
});

export const xmlAnswer = (body: string): HttpAnswer => ({
  status: 200,
  headers: [['content-type', 'text/xml']],
  body,
});

export const xmlError = ({ code, message, status }: AwsError): HttpAnswer => ({
  status,
  headers: [['content-type', 'text/xml']],
  body:
    `<ErrorResponse><Error><Type>Sender</Type><Code>${escapeXml(code)}</Code>` +
    `<Message>${escapeXml(message)}</Message></Error>` +
    `<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
});

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
