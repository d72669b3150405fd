import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const now = (): number => performance.timeOrigin + performance.now();

/** One webhook's endpoint: answers as it is told, and remembers the first confirmed POST of each event. */
export class Endpoint {
  statusCode = 204;
  posts = 0;
  /** By event id; epoch milliseconds with fractions. */
  readonly arrivals = new Map<string, number>();
  #waiting: { count: number; resolve: () => void } | undefined;

  receive(event: string, arrivedAt: number): number {
    this.posts += 1;
    if (this.statusCode >= 300) return this.statusCode;
    if (!this.arrivals.has(event)) this.arrivals.set(event, arrivedAt);
    if (this.#waiting !== undefined && this.arrivals.size >= this.#waiting.count) {
      this.#waiting.resolve();
    }
    return this.statusCode;
  }

  /** Resolves when so many different events have been confirmed. */
  arrived(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
      if (this.arrivals.size >= count) resolve();
    });
  }
}

/** An HTTPS server with an endpoint at each path. */
export const startReceiver = async (files: { certFile: string; keyFile: string }) => {
  const endpoints = new Map<string, Endpoint>();
  const server = createServer(
    { cert: await readFile(files.certFile), key: await readFile(files.keyFile) },
    async (request, response) => {
      const arrivedAt = now();
      const { id } = JSON.parse(await text(request)) as { id: string };
      const endpoint = endpoints.get(request.url ?? '');
      const event = id.split('/').at(-1) ?? '';
      response.writeHead(endpoint?.receive(event, arrivedAt) ?? 404).end();
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
