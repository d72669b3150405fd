export class Crash extends Error {}

/** A port whose `method` does no work, and ends the process that called it. */
export const crashingAt = <Port extends object>(port: Port, method: keyof Port): Port =>
  new Proxy(port, {
    get: (target, member) => {
      if (member === method) return () => Promise.reject(new Crash());
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
