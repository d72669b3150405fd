import type { ClientRequest, IncomingMessage } from 'node:http';
import { resultOfFault, type Unanswered, unanswered } from './connection-fault.ts';

export interface EndpointLimits {
  /** From start to an established TLS connection. */
  readonly connectTimeoutMs: number;
  /** From start to the end of the response's head. */
  readonly responseTimeoutMs: number;
}

/**
 * Interim answers (100, 102, 103 and other 1xx) that may come before the final answer. Endpoints
 * send one or two; an endless row of them would take the time of the other requests.
 */
const MAX_INTERIM_ANSWERS = 8;

/**
 * The final answer to a request, as soon as the answer's head is there; or why there is no answer.
 * A switch of protocols, which nobody asked for, is a final answer without a body.
 */
export const finalAnswerTo = async (
  request: ClientRequest,
  limits: EndpointLimits,
): Promise<IncomingMessage | Unanswered> => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | Unanswered>();
  const end = (...why: Parameters<typeof unanswered>) => {
    resolve(unanswered(...why));
    request.destroy();
  };
  const connecting = setTimeout(end, limits.connectTimeoutMs, 'connect-timeout');
  const responding = setTimeout(end, limits.responseTimeoutMs, 'response-timeout');
  let duringHandshake = false;
  let interimAnswers = 0;
  request
    .once('socket', (socket) => {
      if (request.reusedSocket) return clearTimeout(connecting);
      socket.once('connect', () => {
        duringHandshake = true;
      });
      socket.once('secureConnect', () => {
        duringHandshake = false;
        clearTimeout(connecting);
      });
    })
    .on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > MAX_INTERIM_ANSWERS)
        end('malformed-response', 'TOO_MANY_INTERIM_ANSWERS');
    })
    .once('upgrade', (response) => resolve(response.destroy()))
    .once('response', (response) => {
      // Node's parser takes any three digits for a status.
      if (Number(response.statusCode) < 100) end('malformed-response', 'HPE_INVALID_STATUS');
      else resolve(response);
    })
    // The listener stays: an error after the result changes nothing, and must not end the process.
    .on('error', (error) => resolve(resultOfFault(error, duringHandshake)));
  return promise.finally(() => {
    clearTimeout(connecting);
    clearTimeout(responding);
  });
};
