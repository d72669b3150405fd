/** What goes to and from a function's worker thread. Events and results are JSON, as in Lambda. */
export interface WorkerSettings {
  arn: string;
  file: string;
  handler: string;
  /** The authority that signs this run's certificates, trusted by the functions only. */
  caCertificate: string;
}

export interface InvocationRequest {
  event: string;
  awsRequestId: string;
  deadlineAt: number;
}

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'result'; result: string }
  | { kind: 'failure'; name: string; message: string; stack?: string | undefined };
