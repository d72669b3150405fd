import { lookup } from 'node:dns';
import { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { PostResult } from '../../core/delivery/attempt.ts';
import type { WebhookEndpoint, WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import {
  type GuardPolicy,
  isDeliverableAddress,
  urlRefusal,
} from '../../core/integration/address-guard.ts';
import { AddressRefused } from './connection-fault.ts';
import {
  type EndpointLimits,
  finalAnswer,
  type RequestOutcome,
  readResponseStart,
  type Send,
} from './final-answer.ts';

const MAX_HEAD_BYTES = 16_384;
/** The status has confirmed the event: its body must not delay the batch. */
const CONFIRMATION_READ_MS = 200;
/** The body of any other answer explains the refusal to the integrator. */
const REFUSAL_READ_MS = 2_000;
/** How long idle connections are kept: less than the 5 s after which Node servers close them. */
const KEEP_ALIVE_MS = 4_000;
/** One for each endpoint, of one or two KB. */
const MAX_TLS_SESSIONS = 1_000;

/**
 * Reaches endpoints by HTTPS through one agent, so that connections are reused from one invocation
 * to the next. Node's timers stand still while a Lambda sandbox is frozen, so the agent may keep
 * connections that are dead. After a pause of more than `KEEP_ALIVE_MS` by the wall clock, all
 * connections are closed. The agent keeps their TLS sessions, which new connections resume.
 */
export class HttpsWebhookEndpoint implements WebhookEndpoint {
  readonly #policy: GuardPolicy;
  readonly #limits: EndpointLimits;
  readonly #now: () => number;
  readonly #agent: Agent;
  /** Keeps no connections, so that none of its requests meets an idle connection. */
  readonly #newConnections: Agent;
  #requests = 0;
  #lastUsedAt: number;

  constructor(policy: GuardPolicy, limits: EndpointLimits, now: () => number = Date.now) {
    this.#policy = policy;
    this.#limits = limits;
    this.#now = now;
    const connecting = {
      lookup: guardedLookup(policy),
      // Node tries the addresses of a host in turn, and gives each but the last 250 ms unless told
      // otherwise. That is too short for a distant endpoint whose last address is IPv6; the whole
      // time would leave none for a second address when the first is dead. An IPv6 address takes no
      // time from the others: a function has no way to it, so that the connection fails at once
      // (EAFNOSUPPORT or ENETUNREACH), and Node goes on to the next address.
      autoSelectFamilyAttemptTimeout: limits.connectTimeoutMs / 2,
    };
    this.#agent = new Agent({
      ...connecting,
      keepAlive: true,
      timeout: KEEP_ALIVE_MS,
      maxCachedSessions: MAX_TLS_SESSIONS,
    });
    this.#newConnections = new Agent(connecting);
    this.#lastUsedAt = now();
  }

  /**
   * Whatever comes of the request is a result. A throw is a fault of the service: headers that
   * cannot be sent, for example. It is thrown before there is a connection.
   */
  async post(webhook: WebhookRequest): Promise<PostResult> {
    // The URL was checked when it was saved; the rules may have changed since.
    if (urlRefusal(webhook.url, this.#policy) !== undefined) {
      return { kind: 'unanswered', reason: 'address-refused' };
    }
    this.#closeStaleConnections();
    this.#requests += 1;
    try {
      return await resultOf(await finalAnswer(this.#sender(webhook), this.#limits));
    } finally {
      this.#requests -= 1;
      this.#lastUsedAt = this.#now();
    }
  }

  #sender({ url, headers, body }: WebhookRequest): Send {
    return (connection) => {
      const agent = connection === 'new' ? this.#newConnections : this.#agent;
      const options = { method: 'POST', headers, agent, maxHeaderSize: MAX_HEAD_BYTES };
      const post = request(url, options);
      post.end(body);
      return post;
    };
  }

  /** A destroyed agent has no connection left, and makes new ones. */
  #closeStaleConnections(): void {
    if (this.#requests > 0 || this.#now() - this.#lastUsedAt <= KEEP_ALIVE_MS) return;
    this.#agent.destroy();
  }

  /** Ends every connection. For tests and tools: a function's process ends without this call. */
  close(): void {
    this.#agent.destroy();
    this.#newConnections.destroy();
  }
}

const resultOf = async ({ request: post, answer }: RequestOutcome): Promise<PostResult> => {
  if (!(answer instanceof IncomingMessage)) return answer;
  const { statusCode = 0, headers } = answer;
  const isConfirmation = statusCode >= 200 && statusCode < 300;
  const responseStart = await readResponseStart(answer, {
    maxReadMs: isConfirmation ? CONFIRMATION_READ_MS : REFUSAL_READ_MS,
  });
  // An endpoint that answers before it has read the request may never read the rest.
  if (!post.writableFinished) post.destroy();
  const retryAfter = headers['retry-after'];
  return {
    kind: 'answered',
    statusCode,
    responseStart,
    ...(retryAfter !== undefined && { retryAfter }),
  };
};

/**
 * Resolves a name and returns its addresses if the guard allows all of them; a single refused
 * address refuses the name. The socket connects to the returned addresses, so no second resolution
 * can get around the guard. Node looks up names only: a URL whose host is an IP address is checked
 * before.
 */
const guardedLookup =
  (policy: GuardPolicy): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isDeliverableAddress(address, policy))) {
        return callback(new AddressRefused(), []);
      }
      if (options.all) return callback(null, addresses);
      const first = addresses[0];
      return callback(null, first?.address ?? '', first?.family);
    });
  };
