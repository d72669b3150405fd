const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;

export const isAsyncGenerator = (
  value: unknown,
): value is (...given: unknown[]) => AsyncGenerator<unknown> =>
  value instanceof AsyncGeneratorFunction;

/**
 * Yields what `results` yields. Each result is got by a `call`, as that of a port's method; a call
 * that is repeated reads the same again.
 */
export async function* eachByCall<Result>(
  results: AsyncIterator<Result>,
  call: <Value>(effect: () => Promise<Value>) => Promise<Value>,
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
