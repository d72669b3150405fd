import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { type HttpRequest, type ListeningServer, startHttpServer } from 'local-aws/http-server.ts';
import { type ReceivedRequest, ReceivedRequests } from './received-requests.ts';
import { answer, type Behaviour, type ReceiverConnection } from './receiver-behaviours.ts';

/** The treatment of a connection before its first request is read. */
export type Greeting = 'read' | 'close-after-tls' | 'reset-after-tls' | 'reset-before-tls';

interface Accepted {
  readonly raw: Socket;
  /** Counted from 1. */
  readonly number: number;
}

/**
 * A real HTTPS server on loopback that does to each request what the test chose for its path, and
 * keeps the requests. It answers 200 where nothing was chosen.
 */
export class MisbehavingReceiver {
  readonly requests = new ReceivedRequests();
  readonly #origin: string | undefined;
  /** By the port of the client. */
  readonly #accepted = new Map<number, Accepted>();
  readonly #sockets = new Set<Socket>();
  readonly #behaviours = new Map<string, Behaviour[]>();
  #greeting: Greeting = 'read';
  #connections = 0;
  #isRetired = false;
  #server: Server | undefined;
  #listening: ListeningServer | undefined;

  /** On any free port, unless told otherwise. If there is an `origin`, it must lead to `port`. */
  static async start(
    tls: TlsOptions,
    { port = 0, origin }: { port?: number; origin?: string | undefined } = {},
  ): Promise<MisbehavingReceiver> {
    const receiver = new MisbehavingReceiver(origin);
    receiver.#listening = await startHttpServer({
      tls,
      port,
      handle: (request, received) => receiver.#receive(request, received),
      prepare: (server) => receiver.#prepare(server),
    });
    return receiver;
  }

  private constructor(origin: string | undefined) {
    this.#origin = origin;
  }

  get port(): number {
    return this.#listening?.port ?? 0;
  }

  /** TCP connections so far, whatever came of them. */
  get connections(): number {
    return this.#connections;
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.#origin ?? `https://${host}:${this.port}`}${path}`;
  }

  /** One behaviour for each request of the path, in order; the last holds from then on. */
  behave(path: string, ...behaviours: Behaviour[]): void {
    this.#behaviours.set(path, behaviours);
  }

  /** For every connection from now on. */
  greet(greeting: Greeting): void {
    this.#greeting = greeting;
  }

  /**
   * Confirms every request from now on, and keeps none of them. Deliveries to an endpoint that does
   * not answer would back off for the rest of a run.
   */
  retire(): void {
    this.#isRetired = true;
    this.#behaviours.clear();
    this.#greeting = 'read';
    for (const socket of this.#sockets) socket.destroy();
    // The receiver does not keep its process alive.
    this.#server?.unref();
  }

  async close(): Promise<void> {
    const closed = this.#listening?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #prepare(server: Server): void {
    this.#server = server;
    server.on('connection', (raw: Socket) => {
      this.#connections += 1;
      this.#sockets.add(raw);
      this.#accepted.set(raw.remotePort ?? 0, { raw, number: this.#connections });
      raw.on('error', () => {});
      raw.once('close', () => this.#sockets.delete(raw));
      if (this.#greeting === 'reset-before-tls') raw.resetAndDestroy();
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      socket.on('error', () => {});
      if (this.#greeting === 'close-after-tls') socket.end();
      if (this.#greeting === 'reset-after-tls') this.#acceptedOf(socket).raw.resetAndDestroy();
    });
  }

  #receive({ method, body }: HttpRequest, received: IncomingMessage): undefined {
    const socket = received.socket as TLSSocket;
    const { raw, number } = this.#acceptedOf(socket);
    const rawHeaders = pairsIn(received.rawHeaders);
    const request = {
      method,
      path: received.url ?? '',
      httpVersion: `HTTP/${received.httpVersion}`,
      rawHeaders,
      headers: Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value])),
      body,
      arrivedAt: new Date(),
      connection: number,
      isResumed: socket.isSessionReused(),
    };
    if (!this.#isRetired) this.requests.add(request);
    void this.#behaviourFor(request)(connectionOf(socket, raw), request);
  }

  #acceptedOf({ remotePort = 0 }: TLSSocket): Accepted {
    const accepted = this.#accepted.get(remotePort);
    if (accepted === undefined) throw new Error(`No connection came from port ${remotePort}.`);
    return accepted;
  }

  #behaviourFor({ path }: ReceivedRequest): Behaviour {
    const chosen = this.#behaviours.get(path) ?? [];
    return (chosen.length > 1 ? chosen.shift() : chosen[0]) ?? answer(200);
  }
}

const pairsIn = (rawHeaders: readonly string[]): (readonly [name: string, value: string])[] =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  );

const connectionOf = (socket: TLSSocket, raw: Socket): ReceiverConnection => ({
  write: (data) => void socket.write(data),
  end: (data = '') => void socket.end(data),
  reset: () => void raw.resetAndDestroy(),
  writable: async () => {
    if (socket.writableNeedDrain) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
    } else {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return !socket.destroyed;
  },
});
