import { FunctionFailure } from './function-failure.ts';
import type { FunctionPool } from './function-pool.ts';

export interface AsynchronousOptions {
  /** How long one of Lambda's minutes lasts. */
  minuteMs: number;
  wait: (delayMs: number) => Promise<void>;
  send: (queueArn: string, body: string) => Promise<unknown>;
}

/**
 * Invokes a function asynchronously, as Scheduler does. After a failure, invokes the function again
 * after one minute and after two more; then sends the event and the error to the function's failure
 * destination, if there is one. Resolves when this is done; does not reject when the function
 * fails.
 */
export const invokeAsynchronously = async (
  pool: FunctionPool,
  event: unknown,
  { minuteMs, wait, send }: AsynchronousOptions,
): Promise<void> => {
  const { retries, failureDestinationArn } = pool.settings;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await pool.invoke(event);
      return;
    } catch (error) {
      if (attempt <= retries) {
        await wait(attempt * minuteMs);
        continue;
      }
      if (failureDestinationArn) {
        const { name, message } = FunctionFailure.from(error);
        const responsePayload = { errorType: name, errorMessage: message };
        const record = { version: '1.0', requestPayload: event, responsePayload };
        await send(failureDestinationArn, JSON.stringify(record));
      }
      return;
    }
  }
};
