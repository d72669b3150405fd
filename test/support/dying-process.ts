/**
 * The ports of a process that dies: so many of their calls take effect, and none after them. Its
 * owner sees the process reject with `died`.
 */
export const dyingAfter = (calls: number) => {
  let left = calls;
  return <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          left -= 1;
          return left >= 0 ? value.apply(target, given) : Promise.reject(new Error('died'));
        };
      },
    });
};
