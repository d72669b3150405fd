import { setImmediate } from 'node:timers/promises';

const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;

export const isAsyncGenerator = (
  value: unknown,
): value is (...given: unknown[]) => AsyncGenerator<unknown> =>
  value instanceof AsyncGeneratorFunction;

type Call = <Value>(effect: () => Promise<Value>) => Promise<Value>;

/** Stands between a use case and its ports: `dyingAfter`, for example. */
export type Through = <Port extends object>(port: Port) => Port;

/** Makes each call of a port by `call`. */
export const throughCall =
  (call: Call): Through =>
  (port) =>
    new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        if (isAsyncGenerator(value)) {
          return (...given: unknown[]) => eachByCall(value.apply(target, given), call);
        }
        return (...given: unknown[]) => call(() => value.apply(target, given));
      },
    });

/** Each call takes effect in a later turn of the event loop: a test misses what nothing awaited. */
export const late: Through = throughCall(async (effect) => {
  await setImmediate();
  return effect();
});

/**
 * Yields what `results` yields. Each result is got by a `call`, as that of a port's method; a call
 * that is repeated reads the same again.
 */
export async function* eachByCall<Result>(
  results: AsyncIterator<Result>,
  call: Call,
): AsyncGenerator<Result, undefined> {
  for (;;) {
    let reading: Promise<IteratorResult<Result>> | undefined;
    const { done, value } = await call(() => {
      reading ??= results.next();
      return reading;
    });
    if (done) return;
    yield value;
  }
}
