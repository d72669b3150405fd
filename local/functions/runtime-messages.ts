// The messages to and from a function's worker thread. Events and results are JSON, as in Lambda.

export interface WorkerSettings {
  arn: string;
  file: string;
  handler: string;
  /** What the function prints is appended to this file. */
  logFile: string;
  /** Where V8's code of the bundle is kept for the function's further sandboxes. */
  compiledDirectory: string;
  /** Certificate of the run's authority, as PEM. In this process, only functions trust it. */
  caCertificate: string;
}

export interface InvocationRequest {
  event: string;
  awsRequestId: string;
  /** Milliseconds since 1970. */
  deadlineAt: number;
}

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'result'; result: string }
  | { kind: 'failure'; name: string; message: string; stack?: string | undefined };
