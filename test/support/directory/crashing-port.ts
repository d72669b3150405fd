export class Crash extends Error {}

/** A port that does something else before each of its calls. */
export const beforeEachCall = <Port extends object>(
  port: Port,
  interrupt: () => Promise<unknown>,
): Port =>
  new Proxy(port, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]) => {
        await interrupt();
        return Reflect.apply(value, target, parameters);
      };
    },
  });

/** A port that does something else before the work of `method`, or instead of it by throwing. */
export const interruptedAt = <Port extends object>(
  port: Port,
  method: keyof Port,
  interrupt: () => Promise<unknown>,
): Port =>
  new Proxy(port, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (member !== method) return value.bind(target);
      return async (...parameters: unknown[]) => {
        await interrupt();
        return Reflect.apply(value, target, parameters);
      };
    },
  });

/** A port whose `method` does no work, and ends the process that called it. */
export const crashingAt = <Port extends object>(port: Port, method: keyof Port): Port =>
  interruptedAt(port, method, () => Promise.reject(new Crash()));
