import { createHmac } from 'node:crypto';
import type { ReceivedRequest, ReceivedRequests } from './received-requests.ts';

/** As a receiver would, with nothing of ours. */
export const isAuthentic = (request: ReceivedRequest, secret: string): boolean =>
  createHmac('sha256', secret).update(request.body).digest('hex') ===
  request.headers['x-service-signature'];

export const carries =
  (event: { id: string }) =>
  (request: ReceivedRequest): boolean =>
    request.body.includes(`/deliveries/${event.id}"`);

export const eventOf = ({ headers }: ReceivedRequest): string =>
  headers['webhook-id']?.split('/').at(-1) ?? '';

interface Receiver {
  readonly requests: ReceivedRequests;
}

/** The deliveries to one path of a receiver that arrive from now on. */
export class DeliveriesTo {
  readonly #receiver: Receiver;
  readonly #path: string;
  readonly #from: number;

  constructor(receiver: Receiver, path: string) {
    this.#receiver = receiver;
    this.#path = path;
    this.#from = receiver.requests.all.length;
  }

  get all(): readonly ReceivedRequest[] {
    return this.#receiver.requests.all.slice(this.#from).filter(({ path }) => path === this.#path);
  }

  /** Which event each was of, as they arrived. */
  get events(): string[] {
    return this.all.map(eventOf);
  }

  /** Resolves when there are so many. */
  count(wanted: number): Promise<void> {
    return this.#receiver.requests.until(
      () => this.all.length >= wanted,
      () => `${wanted} requests of ${this.#path}, of which there are ${this.all.length}`,
    );
  }

  /** Resolves when each of the events was among them. */
  each(events: readonly { id: string }[]): Promise<void> {
    const missing = new Set(events.map(({ id }) => id));
    let next = this.#from;
    const isMet = () => {
      const { all } = this.#receiver.requests;
      for (; next < all.length; next += 1) {
        const request = all[next];
        if (request?.path === this.#path) missing.delete(eventOf(request));
      }
      return missing.size === 0;
    };
    return this.#receiver.requests.until(
      isMet,
      () => `${missing.size} more of ${events.length} events at ${this.#path}`,
    );
  }
}
