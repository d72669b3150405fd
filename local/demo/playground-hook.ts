import { EventEmitter, once } from 'node:events';

/** A POST that a hook received. */
export interface HookRequest {
  readonly arrivedAt: Date;
  /** Names as sent: name, value, name, value, … */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Status of the answer. */
  readonly statusCode: number;
}

const REQUESTS_KEPT = 100;

interface Wishes {
  readonly delivery: string | undefined;
  readonly count: number;
  readonly patience: AbortSignal;
}

/** An endpoint whose answer can be set. It keeps the last 100 requests. */
export class PlaygroundHook {
  #answers: readonly number[] = [204];
  readonly #arrivals = new Arrivals<HookRequest>({ kept: REQUESTS_KEPT });

  /** Status of the next answer. */
  get answer(): number {
    return this.#answers[0] ?? 204;
  }

  /** Sets the next answers, in order; the last answer is for all later requests. */
  answerWith(...statusCodes: readonly number[]): void {
    this.#answers = statusCodes;
  }

  receive(request: Omit<HookRequest, 'statusCode'>): HookRequest {
    const received = { ...request, statusCode: this.answer };
    if (this.#answers.length > 1) this.#answers = this.#answers.slice(1);
    this.#arrivals.add(received);
    return received;
  }

  /** Calls `listener` with each request from now on. */
  onRequest(listener: (request: HookRequest) => void): void {
    this.#arrivals.onArrival(listener);
  }

  /** Newest first, of one delivery or all. Waits for `count` of them until `patience` aborts. */
  async requests({ delivery, count, patience }: Wishes): Promise<readonly HookRequest[]> {
    const found = () =>
      this.#arrivals.all.filter(
        (request) => delivery === undefined || headerOf(request, 'webhook-id') === delivery,
      );
    await this.#arrivals.until(() => found().length >= count, patience);
    return found().toReversed();
  }
}

/** The value of a header in any case; several are joined with commas. */
export const headerOf = (
  { rawHeaders }: Pick<HookRequest, 'rawHeaders'>,
  name: string,
): string | undefined => {
  const values = rawHeaders.filter(
    (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name.toLowerCase(),
  );
  return values.length === 0 ? undefined : values.join(', ');
};

export const presentHook = (hook: PlaygroundHook, requests: readonly HookRequest[]) => ({
  answer: hook.answer,
  requests: requests.map(({ arrivedAt, body, rawHeaders, statusCode }) => ({
    arrivedAt: arrivedAt.toISOString(),
    answered: statusCode,
    headers: Object.fromEntries(
      rawHeaders
        .filter((_, at) => at % 2 === 0)
        .map((name) => [name, headerOf({ rawHeaders }, name)]),
    ),
    body: body.toString(),
  })),
});

/** Keeps the latest items that arrived, and wakes those who wait for more. */
export class Arrivals<Item> {
  readonly #items: Item[] = [];
  readonly #kept: number;
  readonly #events = new EventEmitter().setMaxListeners(0);

  constructor({ kept = Number.POSITIVE_INFINITY } = {}) {
    this.#kept = kept;
  }

  /** In the order of their arrival. */
  get all(): readonly Item[] {
    return this.#items;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > this.#kept) this.#items.shift();
    this.#events.emit('arrival', item);
  }

  /** Calls `listener` with each item from now on. */
  onArrival(listener: (item: Item) => void): void {
    this.#events.on('arrival', listener);
  }

  /** Resolves to whether the condition holds before the signal aborts. */
  async until(isMet: () => boolean, signal: AbortSignal): Promise<boolean> {
    while (!isMet()) {
      if (signal.aborted) return false;
      await once(this.#events, 'arrival', { signal }).catch(() => {});
    }
    return true;
  }
}
