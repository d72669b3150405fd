import { tlsOf } from 'local-aws/certificates.ts';
import { startHttpServer } from 'local-aws/http-server.ts';

/** Milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

const PATIENCE_MS = 600_000;

/** The endpoint of one webhook: it confirms a POST with any 2xx. */
export class Endpoint {
  /** The status that answers a POST of an event. */
  statusOf = (_event: string): number | Promise<number> => 204;
  posts = 0;
  /** By event id: when the first confirmed POST came, as `now` tells the time. */
  readonly confirmed = new Map<string, number>();
  #waiting: { count: number; resolve: () => void } | undefined;

  async receive(event: string, receivedAt: number): Promise<number> {
    this.posts += 1;
    const statusCode = await this.statusOf(event);
    if (statusCode >= 300) return statusCode;
    if (!this.confirmed.has(event)) this.confirmed.set(event, receivedAt);
    if (this.confirmed.size >= (this.#waiting?.count ?? Number.POSITIVE_INFINITY)) {
      this.#waiting?.resolve();
    }
    return statusCode;
  }

  /** Resolves when `count` different events have been confirmed. Rejects after ten minutes. */
  async untilConfirmed(count: number): Promise<void> {
    if (this.confirmed.size >= count) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const patience = setTimeout(() => {
      reject(new Error(`Of ${count} events ${this.confirmed.size} were confirmed.`));
    }, PATIENCE_MS);
    this.#waiting = { count, resolve };
    await promise.finally(() => clearTimeout(patience));
  }
}

/** Starts a receiver. `endpointAt` adds an endpoint; other paths answer 404. */
export const startReceiver = async (files: { certFile: string; keyFile: string }) => {
  const endpoints = new Map<string, Endpoint>();
  const { origin, close } = await startHttpServer({
    tls: await tlsOf(files),
    handle: ({ path, body }) => {
      const { id } = JSON.parse(body.toString()) as { id: string };
      return endpoints.get(path)?.receive(id.split('/').at(-1) ?? '', now()) ?? 404;
    },
  });
  return {
    endpointAt: (path: string) => {
      const endpoint = new Endpoint();
      endpoints.set(path, endpoint);
      return { endpoint, url: `${origin}${path}` };
    },
    close,
  };
};
