import type { Integration, SigningSecrets } from '../../integration/integration.ts';
import { buildOpenSecrets, type SecretOpener } from '../../integration/stored-secrets.ts';
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
 * id. Throws when a secret cannot be opened: then there is no POST, and no attempt.
 */
export const buildMakeAttempt = (ports: Ports): MakeAttempt => {
  const openSecrets = buildOpenSecrets(ports);
  return async (delivery, integration, { number, trigger, nextDelayMs, watch }) => {
    const secrets = await openSecrets(integration);
    const attempt = async (): Promise<MadeAttempt> => {
      const startedAt = ports.now();
      const request = requestOf(delivery, integration, { ...ports, secrets, sentAt: startedAt });
      const outcome = classify(await ports.endpoint.post(request));
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

const requestOf = (
  { integration, event, body }: Delivery,
  { config }: Integration,
  { secrets, userAgent, sentAt }: { secrets: SigningSecrets; userAgent: string; sentAt: Date },
): WebhookRequest => ({
  url: config.baseUrl,
  headers: {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...signatureHeaders(secrets, body, {
      deliveryId: deliveryId(integration, event.id),
      sentAt,
    }),
  },
  body,
});
