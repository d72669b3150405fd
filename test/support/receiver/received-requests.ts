import { Arrivals } from '../../../local/demo/playground-hook.ts';
import { outOfPatience, PATIENCE_MS } from '../patience.ts';

/** One request, as it was sent. */
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

/** Keeps the requests that arrived, and lets a test wait for others. */
export class ReceivedRequests {
  readonly #arrivals = new Arrivals<ReceivedRequest>();

  get all(): readonly ReceivedRequest[] {
    return this.#arrivals.all;
  }

  add(request: ReceivedRequest): void {
    this.#arrivals.add(request);
  }

  /** The n-th request, counted from 1, now or when it arrives. */
  nth(number: number): Promise<ReceivedRequest> {
    return this.#when(() => this.all[number - 1], `request ${number}`);
  }

  /** The first request the predicate holds for, now or when it arrives. */
  where(predicate: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    return this.#when(() => this.all.find(predicate), `a request: ${predicate}`);
  }

  /** Resolves as soon as the condition holds. `awaited` describes the condition for the error. */
  async until(isMet: () => boolean, awaited: () => string = () => String(isMet)): Promise<void> {
    if (await this.#arrivals.until(isMet, AbortSignal.timeout(PATIENCE_MS))) return;
    const latest = this.all.slice(-5).map(({ path, headers }) => [path, headers]);
    throw outOfPatience(awaited(), { requests: this.all.length, latest });
  }

  async #when(find: () => ReceivedRequest | undefined, awaited: string): Promise<ReceivedRequest> {
    let found: ReceivedRequest | undefined;
    const isMet = () => {
      found = find();
      return found !== undefined;
    };
    await this.until(isMet, () => awaited);
    if (found === undefined) throw new Error(`There is no longer ${awaited}.`);
    return found;
  }
}
