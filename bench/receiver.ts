import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();

const PATIENCE_MS = 600_000;
const WATCH_MS = 5_000;

/** The endpoint of one webhook: it confirms a POST with any 2xx. */
export class Endpoint {
  /** The status that answers a POST of an event. */
  statusOf = (_event: string): number => 204;
  posts = 0;
  /** By event id: when the first confirmed POST came, as `now` tells the time. */
  readonly confirmed = new Map<string, number>();
  #waiting: { count: number; resolve: () => void } | undefined;
  #progressAt = now();

  receive(event: string, receivedAt: number): number {
    this.posts += 1;
    const statusCode = this.statusOf(event);
    if (statusCode >= 300) return statusCode;
    if (!this.confirmed.has(event)) this.confirmed.set(event, receivedAt);
    this.#progressAt = receivedAt;
    if (this.#waiting !== undefined && this.confirmed.size >= this.#waiting.count) {
      this.#waiting.resolve();
    }
    return statusCode;
  }

  /**
   * Resolves when `count` different events have been confirmed. Rejects when none comes for ten
   * minutes: so a bench ends although events are lost.
   */
  untilConfirmed(count: number): Promise<void> {
    this.#progressAt = now();
    return new Promise((resolve, reject) => {
      const watch = setInterval(() => {
        if (now() - this.#progressAt < PATIENCE_MS) return;
        clearInterval(watch);
        reject(new Error(`Of ${count} events ${this.confirmed.size} were confirmed.`));
      }, WATCH_MS).unref();
      const done = () => {
        clearInterval(watch);
        resolve();
      };
      this.#waiting = { count, resolve: done };
      if (this.confirmed.size >= count) done();
    });
  }
}

/** Starts an HTTPS server on 127.0.0.1. `endpointAt` adds an endpoint; other paths answer 404. */
export const startReceiver = async (files: { certFile: string; keyFile: string }) => {
  const endpoints = new Map<string, Endpoint>();
  const server = createServer(
    { cert: await readFile(files.certFile), key: await readFile(files.keyFile) },
    async (request, response) => {
      const receivedAt = now();
      const { id } = JSON.parse(await text(request)) as { id: string };
      const endpoint = endpoints.get(request.url ?? '');
      const event = id.split('/').at(-1) ?? '';
      response.writeHead(endpoint?.receive(event, receivedAt) ?? 404).end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpointAt: (path: string) => {
      const endpoint = new Endpoint();
      endpoints.set(path, endpoint);
      return { endpoint, url: `https://127.0.0.1:${port}${path}` };
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
