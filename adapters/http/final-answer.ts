import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  isClosedConnection,
  isUnreadableAnswer,
  resultOfFault,
  type Unanswered,
  unanswered,
} from './connection-fault.ts';
import { repairOddHeads } from './odd-heads.ts';

export interface EndpointLimits {
  /** From the start of a request to an established TLS connection. */
  readonly connectTimeoutMs: number;
  /** From the start of the attempt to the end of the response's head. */
  readonly responseTimeoutMs: number;
}

/**
 * `any` uses an idle connection or resumes a TLS session if there is one; `new` does neither;
 * `classical` is a new one whose handshake fits one packet, whatever the endpoint asks for.
 */
type Connection = 'any' | 'new' | 'classical';

export type Send = (connection: Connection) => ClientRequest;

export interface RequestOutcome {
  readonly request: ClientRequest;
  /** Or why there is none. A switch of protocols, not requested, is an answer without a body. */
  readonly answer: IncomingMessage | Unanswered;
  /** What to send the request over again: the fault may be of the connection. Then it is no outcome. */
  readonly repeatOver?: Connection | undefined;
}

/** Interim answers (1xx) before the final one. An endless row would take the time of others. */
const MAX_INTERIM_ANSWERS = 8;

/**
 * An endpoint may close an idle connection just as a request is sent over it, or bytes that belong to
 * no answer arrive just then, such as the late body of a 204. Some endpoints refuse to resume a
 * session, some firewalls close a handshake with a message above one packet. A backoff would take 15
 * seconds: the request is sent once more, over a new connection. Both requests share the response
 * timeout.
 */
export const finalAnswer = async (send: Send, limits: EndpointLimits): Promise<RequestOutcome> => {
  const attempt = new AbortController();
  const responding = setTimeout(() => attempt.abort(), limits.responseTimeoutMs);
  const outcomeOver = (connection: Connection) =>
    outcomeOf(send(connection), limits.connectTimeoutMs, attempt.signal);
  try {
    const outcome = await outcomeOver('any');
    return outcome.repeatOver ? await outcomeOver(outcome.repeatOver) : outcome;
  } finally {
    clearTimeout(responding);
  }
};

const outcomeOf = async (
  request: ClientRequest,
  connectTimeoutMs: number,
  attempt: AbortSignal,
): Promise<RequestOutcome> => {
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
  const settle = (answer: RequestOutcome['answer'], repeatOver?: Connection) =>
    resolve({ request, answer, repeatOver });
  const end = (...why: Parameters<typeof unanswered>) => {
    settle(unanswered(...why));
    // With an error the agent forgets the TLS session: the endpoint may hang when it is resumed.
    request.destroy(new Error('given up'));
  };
  attempt.addEventListener('abort', () => end('response-timeout'));
  const connecting = setTimeout(end, connectTimeoutMs, 'connect-timeout');
  const phase = watchPhase(request, () => clearTimeout(connecting));
  const useNoMore = () => {
    request.shouldKeepAlive = false;
  };
  repairOddHeads(request, useNoMore);
  let interimAnswers = 0;
  request
    .on('information', ({ headers }) => {
      if (hasBodyHeader(headers)) useNoMore();
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS) end('too-many-interim-answers');
    })
    .once('upgrade', (response) => settle(response.destroy()))
    .once('response', (response) => {
      if (BODILESS.has(response.statusCode) && hasBodyHeader(response.headers)) useNoMore();
      // Node's parser takes any three digits for a status.
      if (Number(response.statusCode) < 100) end('malformed-status', 'HPE_INVALID_STATUS');
      else settle(response);
    })
    // The listener stays: an error after the result changes nothing, and must not end the process.
    .on('error', (error) => {
      settle(resultOfFault(error, phase.isHandshake()), phase.connectionAfter(error));
    });
  return promise.finally(() => clearTimeout(connecting));
};

/** Node reads no body of these, whatever their headers say: the endpoint may send one. */
const BODILESS: ReadonlySet<number | undefined> = new Set([204, 304]);

const hasBodyHeader = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

const watchPhase = (request: ClientRequest, onConnected: () => void) => {
  let duringHandshake = false;
  let reused: { socket: Socket; bytesRead: number } | undefined;
  request.once('socket', (socket) => {
    // A socket that has a session before its handshake is going to resume that.
    const isResuming = () => socket instanceof TLSSocket && socket.getSession() !== undefined;
    // A TLS socket counts decrypted bytes, so that a session ticket is no byte of an answer.
    if (request.reusedSocket || isResuming()) reused = { socket, bytesRead: socket.bytesRead };
    if (request.reusedSocket) return onConnected();
    socket.once('connect', () => {
      duringHandshake = true;
    });
    socket.once('secureConnect', () => {
      duringHandshake = false;
      onConnected();
    });
  });
  return {
    isHandshake: () => duringHandshake,
    connectionAfter: (error: unknown): Connection | undefined => {
      // Before the end of the handshake nothing of the request was sent.
      if (duringHandshake && isClosedConnection(error)) return 'classical';
      const isFaultOfReuse =
        reused !== undefined &&
        (duringHandshake ||
          (request.reusedSocket && isUnreadableAnswer(error)) ||
          (isClosedConnection(error) && reused.socket.bytesRead === reused.bytesRead));
      return isFaultOfReuse ? 'new' : undefined;
    },
  };
};
