import type { LookupAddress } from 'node:dns';
import { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
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
  type Send,
} from './final-answer.ts';
import { hostResolution, type ResolveHost } from './host-resolution.ts';
import { MAX_HEAD_BYTES } from './odd-heads.ts';
import { redirectTarget } from './redirect-target.ts';
import { readResponseStart } from './response-start.ts';

/** The status has confirmed the event: its body must not delay the batch. */
const CONFIRMATION_READ_MS = 200;
/** The body of any other answer explains the refusal to the integrator. */
const REFUSAL_READ_MS = 2_000;
/** Of the time to connect. A name without an answer in it is a DNS failure, no connect timeout. */
const RESOLUTION_SHARE = 0.8;
/** How long idle connections are kept: less than the 5 s after which Node servers close them. */
const KEEP_ALIVE_MS = 4_000;
/** One for each endpoint, of one or two KB. */
const MAX_TLS_SESSIONS = 1_000;
/** As OpenSSL offers them, but for the hybrid one. */
const CLASSICAL_GROUPS = 'X25519:P-256:X448:P-521:P-384:ffdhe2048:ffdhe3072';
/**
 * A client sends key shares of the first group alone. That of the hybrid group, which OpenSSL puts
 * first, makes the greeting 1.6 KB: some firewalls reset or drop what is above one packet. As the
 * last it is offered, and used with an endpoint that asks for it.
 */
const OFFERED_GROUPS = `${CLASSICAL_GROUPS}:X25519MLKEM768`;

/**
 * Posts through one agent, whose connections outlive the invocation. Node's timers stand still
 * while a Lambda sandbox is frozen, so kept connections may be dead: after a pause of more than
 * `KEEP_ALIVE_MS` by the wall clock all are closed. New ones resume their TLS sessions.
 */
export class HttpsWebhookEndpoint implements WebhookEndpoint {
  readonly #policy: GuardPolicy;
  readonly #limits: EndpointLimits;
  readonly #now: () => number;
  readonly #agent: Agent;
  readonly #offeredGroups = knowsGroups(OFFERED_GROUPS) ? OFFERED_GROUPS : CLASSICAL_GROUPS;
  /** Keeps neither connections nor TLS sessions, so that none of its requests uses one again. */
  readonly #newConnections: Agent;
  #requests = 0;
  #lastUsedAt: number;

  constructor(
    policy: GuardPolicy,
    limits: EndpointLimits,
    { now = Date.now, dnsServers }: { now?: () => number; dnsServers?: readonly string[] } = {},
  ) {
    const timeoutMs = limits.connectTimeoutMs * RESOLUTION_SHARE;
    const resolution = { timeoutMs, servers: dnsServers };
    this.#policy = policy;
    this.#limits = limits;
    this.#now = now;
    const connecting = {
      lookup: guardedLookup(policy, hostResolution(policy, resolution)),
      // Node gives each address of a host but the last 250 ms by default: too little for a distant
      // endpoint whose last address is IPv6. The whole time would leave none for a second address
      // when the first is dead. IPv6 fails at once, because a function has no way to it.
      autoSelectFamilyAttemptTimeout: limits.connectTimeoutMs / 2,
    };
    this.#agent = new Agent({
      ...connecting,
      keepAlive: true,
      timeout: KEEP_ALIVE_MS,
      maxCachedSessions: MAX_TLS_SESSIONS,
    });
    this.#newConnections = new Agent({ ...connecting, maxCachedSessions: 0 });
    this.#lastUsedAt = now();
  }

  /** Throws only for a fault of the service, such as headers that cannot be sent. */
  async post(webhook: WebhookRequest): Promise<PostResult> {
    // The URL was checked when it was saved; the rules may have changed since.
    if (urlRefusal(webhook.url, this.#policy) !== undefined) {
      return { kind: 'unanswered', reason: 'address-refused' };
    }
    this.#closeStaleConnections();
    this.#requests += 1;
    // Bytes that have arrived on an idle connection are read now: Node ends such a connection.
    await setImmediate();
    try {
      return await resultOf(await finalAnswer(this.#sender(webhook), this.#limits), webhook);
    } finally {
      this.#requests -= 1;
      this.#lastUsedAt = this.#now();
    }
  }

  #sender({ url, headers, body }: WebhookRequest): Send {
    const options = { method: 'POST', headers, maxHeaderSize: MAX_HEAD_BYTES, ...serverName(url) };
    return (connection) => {
      const agent = connection === 'any' ? this.#agent : this.#newConnections;
      const ecdhCurve = connection === 'classical' ? CLASSICAL_GROUPS : this.#offeredGroups;
      const post = request(url, { ...options, ecdhCurve, agent });
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

/** OpenSSL before 3.5, that of Node 20 and 22, has no hybrid group. */
const knowsGroups = (ecdhCurve: string): boolean => {
  try {
    createSecureContext({ ecdhCurve });
    return true;
  } catch {
    return false;
  }
};

/** Node would send the dot of the root, which is no part of a server name (RFC 6066 section 3). */
const serverName = (url: string): { servername?: string } => {
  const { hostname } = new URL(url);
  return hostname.endsWith('.') ? { servername: hostname.slice(0, -1) } : {};
};

const resultOf = async (
  { request: post, answer }: RequestOutcome,
  { url }: WebhookRequest,
): Promise<PostResult> => {
  if (!(answer instanceof IncomingMessage)) return answer;
  const { statusCode = 0, headers } = answer;
  const isConfirmation = statusCode >= 200 && statusCode < 300;
  const responseStart = await readResponseStart(answer, {
    maxReadMs: isConfirmation ? CONFIRMATION_READ_MS : REFUSAL_READ_MS,
    headers,
  });
  // A fast answer is read before Node learns that the request was written.
  if (!post.writableFinished) await setImmediate();
  // An endpoint that answers before it has read the request may never read the rest.
  if (!post.writableFinished) post.destroy();
  const retryAfter = headers['retry-after'];
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const location =
    isRedirect && headers.location ? redirectTarget(headers.location, url) : undefined;
  return {
    kind: 'answered',
    statusCode,
    responseStart,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(location !== undefined && { location }),
  };
};

/**
 * Resolves a name to its addresses if the guard allows all of them. The socket connects to these,
 * so no second resolution gets around the guard. IP addresses in URLs are checked before.
 */
const guardedLookup =
  (policy: GuardPolicy, resolveHost: ResolveHost): LookupFunction =>
  (hostname, options, callback) => {
    const use = (addresses: readonly LookupAddress[]) => {
      if (!addresses.every(({ address }) => isDeliverableAddress(address, policy))) {
        return callback(new AddressRefused(), []);
      }
      if (options.all) return callback(null, [...addresses]);
      const first = addresses[0];
      return callback(null, first?.address ?? '', first?.family);
    };
    resolveHost(hostname).then(use, (error) => callback(error, []));
  };
