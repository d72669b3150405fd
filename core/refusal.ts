export type RefusalKind =
  | 'malformed-json'
  | 'access-token-quota'
  | 'console-link-expired'
  | 'forbidden'
  | 'not-found'
  | 'not-acceptable'
  | 'conflict'
  | 'idempotency-conflict'
  | 'integration-inactive'
  | 'integration-quota'
  | 'test-delivery'
  | 'precondition-failed'
  | 'throttled'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'validation';

/** Where something is wrong (RFC 6901 pointer, or name of a parameter or header), and why. */
export type Fault =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

/** Of one document. More would make an answer much larger than its request. */
export const MOST_NAMED = 10;

/** The caller's fault. `lambdas/api/runtime/problem-json.ts` shows the caller all of it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly faults: readonly Fault[];

  constructor(kind: RefusalKind, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.kind = kind;
    this.faults = faults;
  }
}

/** An operator's command cannot be carried out. The message is one line, for the operator. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError';
}
