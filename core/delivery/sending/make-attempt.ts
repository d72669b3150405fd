import { type EndpointHeaders, filtered } from '../../integration/endpoint-headers.ts';
import type { Integration } from '../../integration/integration.ts';
import {
  buildOpenSecrets,
  type OpenSecrets,
  type SecretOpener,
  SecretUnreadable,
} from '../../integration/signing-secrets.ts';
import { type Attempt, classify, type PostResult, type Trigger } from '../attempt.ts';
import { type Delivery, deliveryId } from '../delivery.ts';
import type { DeliveryLog, LogEntry } from '../delivery-log.ts';
import { signatureHeaders } from '../signature-headers.ts';
import { filterAnswer } from './filter-answer.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookEndpoint {
  /** One HTTPS POST, without redirects. Throws only for a fault of the service. */
  post(request: WebhookRequest): Promise<PostResult>;
}

export interface MadeAttempt {
  readonly attempt: Attempt;
  /**
   * The POST as it was sent, without the values of the customer's own headers. Its signatures and
   * body must not get into logs.
   */
  readonly request: WebhookRequest;
  readonly traceparent?: string | undefined;
  readonly recordingFault?: unknown;
  /** Another message of the delivery was attempted meanwhile. */
  readonly isRepeated?: boolean;
}

export type MakeAttempt = (
  delivery: Delivery,
  integration: Integration,
  options: { number: number; trigger: Trigger },
) => Promise<MadeAttempt>;

export interface AttemptPorts {
  endpoint: WebhookEndpoint;
  secrets: SecretOpener;
  now: () => Date;
  userAgent: string;
  /** Whether endpoints get the trace context of the event. */
  sendsTraceparent?: boolean;
}

/**
 * Makes one signed POST. If the process dies after it, another follows with the same id. An
 * unreadable secret, or a request that cannot be built, is a fatal `not-sent`: such deliveries must
 * not fill the queue, which all customers share. Throws when a secret cannot be opened now: no
 * attempt is made.
 */
export const buildMakeAttempt = (ports: AttemptPorts): MakeAttempt => {
  const openSecrets = buildOpenSecrets(ports);
  return async (delivery, integration, { number, trigger }) => {
    const secrets = await openSecrets(integration).catch(ifUnreadable);
    const startedAt = ports.now();
    const sending = { ...ports, secrets, startedAt };
    const { request, result } = await send(delivery, integration, sending);
    const attempt: Attempt = {
      account: delivery.account,
      integration: delivery.integration,
      event: delivery.event,
      number,
      trigger,
      startedAt,
      durationMs: ports.now().getTime() - startedAt.getTime(),
      outcome: classify(result),
    };
    return { attempt, request, traceparent: delivery.traceparent };
  };
};

type OpenedSecrets = OpenSecrets | SecretUnreadable;

const ifUnreadable = (fault: unknown): SecretUnreadable => {
  if (fault instanceof SecretUnreadable) return fault;
  throw fault;
};

/** Old firewalls refuse a request without `Accept`. */
const UNSIGNED_HEADERS = {
  'Content-Type': 'application/json',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
};

interface Sending extends Pick<AttemptPorts, 'endpoint' | 'sendsTraceparent' | 'userAgent'> {
  readonly secrets: OpenedSecrets;
  readonly startedAt: Date;
}

const send = async (
  { integration: id, event, body, traceparent }: Delivery,
  { config }: Integration,
  { endpoint, sendsTraceparent, userAgent, secrets, startedAt }: Sending,
): Promise<{ request: WebhookRequest; result: PostResult }> => {
  const headers = {
    ...UNSIGNED_HEADERS,
    'User-Agent': userAgent,
    ...(sendsTraceparent && traceparent && { traceparent }),
  };
  const unsigned = { url: config.baseUrl, headers, body };
  try {
    if (secrets instanceof SecretUnreadable) throw secrets;
    const signing = { deliveryId: deliveryId(id, event.id), sentAt: startedAt };
    const signatures = signatureHeaders(secrets, body, signing);
    const requestWith = (own: EndpointHeaders<string>): WebhookRequest => ({
      ...unsigned,
      headers: { ...headers, ...own, ...signatures },
    });
    const answer = await endpoint.post(requestWith(secrets.headers));
    const result =
      answer.kind === 'answered'
        ? {
            ...answer,
            responseStart: filterAnswer(answer.responseStart, secrets.headers),
            location: answer.location && filterAnswer(answer.location, secrets.headers),
          }
        : answer;
    return { request: requestWith(filtered(secrets.headers)), result };
  } catch (fault) {
    return {
      request: unsigned,
      result: { kind: 'unanswered', reason: 'not-sent', code: nameOf(fault) },
    };
  }
};

/** Only the name: the message of the fault might contain a part of a secret. */
const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : typeof fault);

/**
 * Adds an entry to the delivery log. Durable when it resolves: to whether another message's attempt
 * was added since the delivery was read.
 */
export type WriteLog = (entry: LogEntry) => Promise<boolean>;

/** Never throws: a confirmed delivery must not be sent again. */
export const record = async (
  made: MadeAttempt,
  { delivery, logged }: Pick<LogEntry, 'delivery' | 'logged'>,
  write: WriteLog,
): Promise<MadeAttempt> => {
  try {
    const isRepeated = await write({ delivery, attempt: made.attempt, logged });
    return isRepeated ? { ...made, isRepeated } : made;
  } catch (recordingFault) {
    return { ...made, recordingFault };
  }
};

export const writeOne =
  (deliveryLog: Pick<DeliveryLog, 'write'>): WriteLog =>
  async (entry) =>
    (await deliveryLog.write([entry]))[0] === true;
