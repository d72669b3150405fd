import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  isClosedConnection,
  isUnreadableAnswer,
  resultOfFault,
  type Unanswered,
  unanswered,
} from './connection-fault.ts';

export interface EndpointLimits {
  /** From the start of a request to an established TLS connection. */
  readonly connectTimeoutMs: number;
  /** From the start of the attempt to the end of the response's head. */
  readonly responseTimeoutMs: number;
}

/** Sends the request over an idle connection if `any` and there is one, else over a new one. */
export type Send = (connection: 'any' | 'new') => ClientRequest;

export interface RequestOutcome {
  readonly request: ClientRequest;
  /** Or why there is none. A switch of protocols, not requested, is an answer without a body. */
  readonly answer: IncomingMessage | Unanswered;
  /** The fault is of the reused connection, not of this request: no outcome of the attempt. */
  readonly isOfReusedConnection: boolean;
}

/** Interim answers (1xx) before the final one. An endless row would take the time of others. */
const MAX_INTERIM_ANSWERS = 8;

/**
 * An endpoint may close an idle connection just as a request is sent over it, or bytes that belong to
 * no answer arrive just then, such as the late body of a 204. A backoff would take 15 seconds: the
 * request is sent once more, over a new connection. Both requests share the response timeout.
 */
export const finalAnswer = async (send: Send, limits: EndpointLimits): Promise<RequestOutcome> => {
  const attempt = new AbortController();
  const responding = setTimeout(() => attempt.abort(), limits.responseTimeoutMs);
  const outcomeOver = (connection: Parameters<Send>[0]) =>
    outcomeOf(send(connection), limits.connectTimeoutMs, attempt.signal);
  try {
    const outcome = await outcomeOver('any');
    return outcome.isOfReusedConnection ? await outcomeOver('new') : outcome;
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
  const settle = (answer: RequestOutcome['answer'], isOfReusedConnection = false) =>
    resolve({ request, answer, isOfReusedConnection });
  const end = (...why: Parameters<typeof unanswered>) => {
    settle(unanswered(...why));
    request.destroy();
  };
  attempt.addEventListener('abort', () => end('response-timeout'));
  const connecting = setTimeout(end, connectTimeoutMs, 'connect-timeout');
  const phase = watchPhase(request, () => clearTimeout(connecting));
  let interimAnswers = 0;
  request
    .on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS)
        end('malformed-response', 'TOO_MANY_INTERIM_ANSWERS');
    })
    .once('upgrade', (response) => settle(response.destroy()))
    .once('response', (response) => {
      // Node's parser takes any three digits for a status.
      if (Number(response.statusCode) < 100) end('malformed-response', 'HPE_INVALID_STATUS');
      else settle(response);
    })
    // The listener stays: an error after the result changes nothing, and must not end the process.
    .on('error', (error) => {
      settle(resultOfFault(error, phase.isHandshake()), phase.isFaultOfReuse(error));
    });
  return promise.finally(() => clearTimeout(connecting));
};

const watchPhase = (request: ClientRequest, onConnected: () => void) => {
  let duringHandshake = false;
  let reused: { socket: Socket; bytesRead: number } | undefined;
  request.once('socket', (socket) => {
    if (request.reusedSocket) {
      // A TLS socket counts decrypted bytes, so that a session ticket is no byte of an answer.
      reused = { socket, bytesRead: socket.bytesRead };
      return onConnected();
    }
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
    isFaultOfReuse: (error: unknown): boolean =>
      reused !== undefined &&
      (isUnreadableAnswer(error) ||
        (isClosedConnection(error) && reused.socket.bytesRead === reused.bytesRead)),
  };
};
