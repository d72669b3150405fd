import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { type ReceivedRequest, ReceivedRequests } from './received-requests.ts';
import { answer, type Behaviour, type ReceiverConnection } from './receiver-behaviours.ts';
import { RequestReader } from './request-reader.ts';

/** What befalls a connection before any request of it is read. */
export type Greeting = 'read' | 'close-after-tls' | 'reset-after-tls' | 'reset-before-tls';

/**
 * A real HTTPS server on loopback that does to each request what the test chose for its path, and
 * remembers what it was sent. Answers 200 where nothing was chosen.
 */
export class MisbehavingReceiver {
  readonly requests = new ReceivedRequests();
  readonly #server: tls.Server;
  readonly #sockets = new Set<Socket>();
  readonly #behaviours = new Map<string, Behaviour[]>();
  #greeting: Greeting = 'read';
  #connections = 0;
  #origin: string | undefined;
  #isRetired = false;

  /** On any free port; what `origin` names has to lead to `port` when there is one. */
  static async start(
    options: tls.TlsOptions,
    { port = 0, origin }: { port?: number; origin?: string | undefined } = {},
  ): Promise<MisbehavingReceiver> {
    const receiver = new MisbehavingReceiver(options);
    receiver.#origin = origin;
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  private constructor(options: tls.TlsOptions) {
    const accepted = new Map<number, { raw: Socket; number: number }>();
    this.#server = tls.createServer(options);
    this.#server.on('connection', (socket: Socket) => {
      this.#connections += 1;
      this.#sockets.add(socket);
      accepted.set(socket.remotePort ?? 0, { raw: socket, number: this.#connections });
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#greeting === 'reset-before-tls') socket.resetAndDestroy();
    });
    this.#server.on('tlsClientError', () => {});
    this.#server.on('secureConnection', (socket) => {
      const connection = accepted.get(socket.remotePort ?? 0);
      if (connection !== undefined) this.#serve(socket, connection);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
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
   * Confirms whatever comes from now on, and nothing of it is remembered. An endpoint that is gone
   * is retried every hour for the rest of a run.
   */
  retire(): void {
    this.#isRetired = true;
    this.#behaviours.clear();
    this.#greeting = 'read';
    for (const socket of this.#sockets) socket.destroy();
    // It does not keep its process.
    this.#server.unref();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: tls.TLSSocket, { raw, number }: { raw: Socket; number: number }): void {
    socket.on('error', () => {});
    if (this.#greeting === 'close-after-tls') return void socket.end();
    if (this.#greeting === 'reset-after-tls') return void raw.resetAndDestroy();
    const reader = new RequestReader();
    socket.on('data', (chunk) => {
      for (const parsed of reader.push(chunk)) {
        const isResumed = socket.isSessionReused();
        const request = { ...parsed, arrivedAt: new Date(), connection: number, isResumed };
        if (!this.#isRetired) this.requests.add(request);
        void this.#behaviourFor(request)(connectionOf(socket, raw), request);
      }
    });
  }

  #behaviourFor({ path }: ReceivedRequest): Behaviour {
    const chosen = this.#behaviours.get(path) ?? [];
    return (chosen.length > 1 ? chosen.shift() : chosen[0]) ?? answer(200);
  }
}

const connectionOf = (socket: tls.TLSSocket, raw: Socket): ReceiverConnection => ({
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
