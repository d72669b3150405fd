import type { Integration } from '../../integration/integration.ts';
import {
  buildOpenSecrets,
  type OpenSecrets,
  type SecretOpener,
  SecretUnreadable,
  type SigningSecrets,
} from '../../integration/signing-secrets.ts';
import { type Attempt, classify, type Outcome, type PostResult, type Trigger } from '../attempt.ts';
import { type Delivery, deliveryId } from '../delivery.ts';
import type { LogEntry } from '../delivery-log.ts';
import { signatureHeaders } from '../signature-headers.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookEndpoint {
  /**
   * One HTTPS POST within every limit of the webhook contract; redirects are not followed. Resolves
   * whatever the endpoint does; throws only for a fault of the service.
   */
  post(request: WebhookRequest): Promise<PostResult>;
}

export interface MadeAttempt {
  readonly attempt: Attempt;
  /** The POST as it was sent. Its signatures and body must not get into the service's own logs. */
  readonly request: WebhookRequest;
  /** The error, if the attempt could not be written to the delivery log. */
  readonly recordingFault?: unknown;
}

export type MakeAttempt = (
  delivery: Delivery,
  integration: Integration,
  options: {
    number: number;
    trigger: Trigger;
    /** From the end of the attempt, `at`, to the next attempt; undefined without a next. */
    nextDelayMs?: (outcome: Outcome, at: Date) => number | undefined;
    /**
     * Gets the attempt as it begins, and gives it back. What comes before, the opening of secrets,
     * is no part of the attempt: the endpoint is not to blame for how long that takes.
     */
    watch?: (attempt: Promise<MadeAttempt>) => Promise<MadeAttempt>;
  },
) => Promise<MadeAttempt>;

interface Ports {
  endpoint: WebhookEndpoint;
  secrets: SecretOpener;
  now: () => Date;
  userAgent: string;
}

/**
 * Makes one POST to the integration's address, signed with its secrets. A process that dies after the
 * POST leaves the delivery where it came from: the endpoint gets the delivery again, with the same
 * id.
 *
 * An integration whose secret no try will open, or whose request cannot be built, has a fatal
 * outcome with the reason `not-sent`: its deliveries must not stay in the queue, which has room for
 * so many of all customers. Throws when a secret cannot be opened now: then there is no POST, and
 * no attempt.
 */
export const buildMakeAttempt = (ports: Ports): MakeAttempt => {
  const openSecrets = buildOpenSecrets(ports);
  return async (delivery, integration, { number, trigger, nextDelayMs, watch }) => {
    const secrets = await openedOrUnreadable(integration, openSecrets);
    const attempt = async (): Promise<MadeAttempt> => {
      const startedAt = ports.now();
      const { request, result } = await send(delivery, integration, {
        ...ports,
        secrets,
        startedAt,
      });
      const outcome = classify(result);
      const endedAt = ports.now();
      const delayMs = nextDelayMs?.(outcome, endedAt);
      const made: Attempt = {
        account: delivery.account,
        integration: delivery.integration,
        event: delivery.event,
        number,
        trigger,
        startedAt,
        durationMs: endedAt.getTime() - startedAt.getTime(),
        outcome,
        ...(delayMs !== undefined && { nextAttemptAt: new Date(endedAt.getTime() + delayMs) }),
      };
      return { attempt: made, request };
    };
    return watch === undefined ? attempt() : watch(attempt());
  };
};

type OpenedSecrets = SigningSecrets | SecretUnreadable;

const openedOrUnreadable = async (
  integration: Integration,
  openSecrets: OpenSecrets,
): Promise<OpenedSecrets> => {
  try {
    return await openSecrets(integration);
  } catch (fault) {
    if (fault instanceof SecretUnreadable) return fault;
    throw fault;
  }
};

interface Sending extends Pick<Ports, 'endpoint' | 'userAgent'> {
  readonly secrets: OpenedSecrets;
  readonly startedAt: Date;
}

const send = async (
  delivery: Delivery,
  integration: Integration,
  { endpoint, userAgent, secrets, startedAt }: Sending,
): Promise<{ request: WebhookRequest; result: PostResult }> => {
  const unsigned = unsignedRequest(delivery, integration, userAgent);
  try {
    if (secrets instanceof SecretUnreadable) throw secrets;
    const request = signed(unsigned, delivery, { secrets, sentAt: startedAt });
    return { request, result: await endpoint.post(request) };
  } catch (fault) {
    return {
      request: unsigned,
      result: { kind: 'unanswered', reason: 'not-sent', code: nameOf(fault) },
    };
  }
};

/** A message of the fault might have a part of a secret. */
const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : typeof fault);

/** Adds an entry to the delivery log. Durable when it resolves. */
export type WriteLog = (entry: LogEntry) => Promise<void>;

/**
 * Records an attempt in the delivery log. Never throws: the endpoint must not get a delivery again
 * that it has confirmed.
 */
export const record = async (
  made: MadeAttempt,
  { delivery, logged }: Pick<LogEntry, 'delivery' | 'logged'>,
  write: WriteLog,
): Promise<MadeAttempt> => {
  try {
    await write({ delivery, attempt: made.attempt, logged });
    return made;
  } catch (recordingFault) {
    return { ...made, recordingFault };
  }
};

const unsignedRequest = (
  { body }: Delivery,
  { config }: Integration,
  userAgent: string,
): WebhookRequest => ({
  url: config.baseUrl,
  headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
  body,
});

const signed = (
  request: WebhookRequest,
  { integration, event, body }: Delivery,
  { secrets, sentAt }: { secrets: SigningSecrets; sentAt: Date },
): WebhookRequest => ({
  ...request,
  headers: {
    ...request.headers,
    ...signatureHeaders(secrets, body, {
      deliveryId: deliveryId(integration, event.id),
      sentAt,
    }),
  },
});
