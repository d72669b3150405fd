// The messages to and from a function's worker thread. Events and results are JSON, as in Lambda.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface WorkerSettings {
  arn: string;
  file: string;
  handler: string;
  logFile: string;
  /** Certificate of the run's authority, as PEM. In this process, only functions trust it. */
  caCertificate: string;
  /** Whether calls of AWS come as messages, instead of over HTTP. */
  handsOverAwsCalls: boolean;
}

export interface InvocationRequest {
  kind: 'invocation';
  event: string;
  awsRequestId: string;
  /** Milliseconds since 1970. */
  deadlineAt: number;
}

/** The request of an SDK client, signed. */
export interface AwsCall {
  kind: 'call';
  id: number;
  method: string;
  /** With its query, as sent. */
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string | Uint8Array | undefined;
}

export interface AwsAnswer {
  kind: 'answer';
  id: number;
  /** Absent when the connection breaks. */
  response?: { status: number; headers: IncomingHttpHeaders; body: string | Uint8Array };
}

export type RunMessage = InvocationRequest | AwsAnswer;

export type WorkerMessage =
  | AwsCall
  | { kind: 'ready' }
  | { kind: 'result'; result: string }
  | { kind: 'failure'; name: string; message: string; stack?: string | undefined };
