import { eachByCall, isAsyncGenerator } from './called-generators.ts';

/**
 * The ports of a process that dies: so many of their calls take effect, and none after them. Its
 * owner sees the process reject with `died`.
 */
export const dyingAfter = (calls: number) => {
  let left = calls;
  const call = <Value>(effect: () => Promise<Value>): Promise<Value> => {
    left -= 1;
    return left >= 0 ? effect() : Promise.reject(new Error('died'));
  };
  return <Port extends object>(port: Port): Port =>
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
};
