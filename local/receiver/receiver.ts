import type { IncomingMessage, Server } from 'node:http';
import type { TlsOptions } from 'node:tls';
import {
  type HttpAnswer,
  type HttpRequest,
  type ListeningServer,
  startHttpServer,
} from '../http-server.ts';

/**
 * How a receiver answers a request that has arrived whole: with a status alone, with an answer, or
 * with undefined, if the behaviour itself does something to the request's socket.
 */
type ReceiverBehaviour = (
  request: HttpRequest,
  received: IncomingMessage,
) => number | HttpAnswer | undefined | Promise<number | HttpAnswer | undefined>;

interface ReceiverOptions {
  readonly tls: TlsOptions;
  readonly behaviour: ReceiverBehaviour;
  /** By default, any free port. */
  readonly port?: number;
  /** Called with the server before it listens. */
  readonly prepare?: (server: Server) => void;
}

/** Starts an HTTPS endpoint on 127.0.0.1, as an integrator would have one. */
export const startReceiver = ({
  behaviour,
  port = 0,
  ...options
}: ReceiverOptions): Promise<ListeningServer> =>
  startHttpServer({
    ...options,
    port,
    portOption: '',
    maximumBodyBytes: Number.POSITIVE_INFINITY,
    handle: async (request, received) => {
      const answer = await behaviour(request, received);
      return typeof answer === 'number' ? { status: answer, headers: [], body: '' } : answer;
    },
  });
