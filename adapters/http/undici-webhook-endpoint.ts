import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { WebhookEndpoint, WebhookRequest } from '../../core/delivery/attempt/make-attempt.ts';
import type { PostResult } from '../../core/delivery/attempt.ts';
import type { GuardPolicy } from '../../core/integration/address-guard.ts';
import { resultOfFault } from './connection-fault.ts';
import { guardedConnector } from './guarded-connector.ts';

export interface EndpointLimits {
  /** From start to an established TLS connection. */
  readonly connectTimeoutMs: number;
  /** From start to the end of the response's head. */
  readonly responseTimeoutMs: number;
}

const MAX_HEAD_BYTES = 16_384;
/** At most this much of a response's body is read. */
const MAX_READ_BYTES = 16_384;
/** This much of a response's body is kept for the delivery log. */
const KEPT_BYTES = 1_024;
/** A slow body must not delay the batch: the status is known already. */
const MAX_READ_MS = 2_000;
/** Undici cuts off a longer response. Well above `MAX_READ_BYTES`. */
const MAX_RESPONSE_BYTES = 65_536;
/** How long idle connections are kept: less than the 5 s after which Node servers close them. */
const KEEP_ALIVE_MS = 4_000;

/**
 * Reaches endpoints by HTTPS through one agent, so that connections are reused from one invocation
 * to the next. Undici's timers stand still while a Lambda sandbox is frozen, so the agent may keep
 * connections that are dead. After a pause of more than `KEEP_ALIVE_MS` by the wall clock, the
 * agent is replaced.
 */
export class UndiciWebhookEndpoint implements WebhookEndpoint {
  readonly #limits: EndpointLimits;
  readonly #now: () => number;
  readonly #createAgent: () => Agent;
  #agent: Agent;
  #requests = 0;
  #lastUsedAt: number;

  constructor(policy: GuardPolicy, limits: EndpointLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#createAgent = () => createAgent(policy, limits);
    this.#agent = this.#createAgent();
    this.#lastUsedAt = now();
  }

  async post(webhook: WebhookRequest): Promise<PostResult> {
    await this.#dropStaleConnections();
    this.#requests += 1;
    try {
      return await this.#post(webhook);
    } finally {
      this.#requests -= 1;
      this.#lastUsedAt = this.#now();
    }
  }

  async #dropStaleConnections(): Promise<void> {
    if (this.#requests > 0 || this.#now() - this.#lastUsedAt <= KEEP_ALIVE_MS) return;
    this.#lastUsedAt = this.#now();
    const stale = this.#agent;
    this.#agent = this.#createAgent();
    await stale.destroy();
  }

  async #post({ url, headers, body }: WebhookRequest): Promise<PostResult> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#limits.responseTimeoutMs);
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: this.#agent,
        signal: deadline.signal,
      });
      clearTimeout(timer);
      const responseStart = await readResponseStart(response.body);
      const [retryAfter] = [response.headers['retry-after']].flat();
      return {
        kind: 'answered',
        statusCode: response.statusCode,
        responseStart,
        ...(retryAfter !== undefined && { retryAfter }),
      };
    } catch (error) {
      if (deadline.signal.aborted) return { kind: 'unanswered', reason: 'response-timeout' };
      return resultOfFault(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends every connection. For tests and tools: a function's process ends without this call. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const createAgent = (policy: GuardPolicy, limits: EndpointLimits): Agent =>
  new Agent({
    connect: guardedConnector(policy, limits),
    allowH2: false,
    pipelining: 1,
    headersTimeout: limits.responseTimeoutMs,
    bodyTimeout: limits.responseTimeoutMs,
    maxHeaderSize: MAX_HEAD_BYTES,
    maxResponseSize: MAX_RESPONSE_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });

/**
 * The first KiB of a response's body as text. Never throws: the head has decided the outcome. After
 * a body that ends within the limits, the connection can be reused; a longer body is cut off.
 */
export const readResponseStart = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), MAX_READ_MS);
  try {
    for await (const chunk of body) {
      if (bytes < KEPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {
    // The endpoint, the size limit or the time limit cut the body off: its start is kept.
  } finally {
    clearTimeout(timer);
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // With `stream`, a character that was cut in two is dropped.
  return new TextDecoder().decode(kept, { stream: kept.length === KEPT_BYTES });
};
