import { outOfPatience, PATIENCE_MS } from '../patience.ts';

/** One request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly httpVersion: string;
  /** Name and value as sent, in the order sent. */
  readonly rawHeaders: readonly (readonly [name: string, value: string])[];
  /** By lower-case name; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly arrivedAt: Date;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
  /** Whether the connection went on with the TLS session of an earlier connection. */
  readonly isResumed: boolean;
}

interface Waiter {
  /** undefined while it is to go on waiting. */
  readonly isMet: () => ReceivedRequest | undefined;
  readonly resolve: (request: ReceivedRequest) => void;
}

/** Keeps what arrived, and lets a test await what has not arrived yet. */
export class ReceivedRequests {
  readonly #requests: ReceivedRequest[] = [];
  #waiters: Waiter[] = [];

  get all(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  add(request: ReceivedRequest): void {
    this.#requests.push(request);
    this.#waiters = this.#waiters.filter(({ isMet, resolve }) => {
      const met = isMet();
      if (met !== undefined) resolve(met);
      return met === undefined;
    });
  }

  /** The n-th request, counted from 1, now or when it arrives. */
  nth(number: number): Promise<ReceivedRequest> {
    return this.#when(() => this.#requests[number - 1], `request ${number}`);
  }

  /** The first request the predicate holds for, now or when it arrives. */
  where(predicate: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    return this.#when(() => this.#requests.find(predicate), `a request: ${predicate}`);
  }

  /** Now or when a request arrives with which it is so; `awaited` says what, as it is then. */
  async until(isMet: () => boolean, awaited: () => string = () => String(isMet)): Promise<void> {
    if (isMet()) return;
    await this.#when(() => (isMet() ? this.#requests.at(-1) : undefined), awaited);
  }

  #when(isMet: Waiter['isMet'], awaited: string | (() => string)): Promise<ReceivedRequest> {
    const met = isMet();
    if (met !== undefined) return Promise.resolve(met);
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        const latest = this.#requests.slice(-5).map(({ path, headers }) => [path, headers]);
        const seen = { requests: this.#requests.length, latest };
        reject(outOfPatience(typeof awaited === 'string' ? awaited : awaited(), seen));
      }, PATIENCE_MS);
      // A test that is over does not keep its process.
      patience.unref();
      const found = (request: ReceivedRequest) => {
        clearTimeout(patience);
        resolve(request);
      };
      this.#waiters.push({ isMet, resolve: found });
    });
  }
}
