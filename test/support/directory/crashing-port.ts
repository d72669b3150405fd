export class Crash extends Error {}

/** A port that does something else before the work of `method`, or of each, or throws instead of it. */
const interrupted = <Port extends object>(
  port: Port,
  method: keyof Port | undefined,
  interrupt: () => Promise<unknown>,
): Port =>
  new Proxy(port, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (method !== undefined && member !== method) return value.bind(target);
      return async (...parameters: unknown[]) => {
        await interrupt();
        return Reflect.apply(value, target, parameters);
      };
    },
  });

export const beforeEachCall = <Port extends object>(
  port: Port,
  interrupt: () => Promise<unknown>,
): Port => interrupted(port, undefined, interrupt);

export const interruptedAt = <Port extends object>(
  port: Port,
  method: keyof Port,
  interrupt: () => Promise<unknown>,
): Port => interrupted(port, method, interrupt);

/** A port whose `method` does no work, and ends the process that called it. */
export const crashingAt = <Port extends object>(port: Port, method: keyof Port): Port =>
  interruptedAt(port, method, () => Promise.reject(new Crash()));
