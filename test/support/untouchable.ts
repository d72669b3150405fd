/** Stands for a port that the code under test must not use: whatever is asked of it throws. */
export const untouchable = <Port extends object>(name: string): Port =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_target, member) => {
        throw new Error(`${name} must not be touched, and its ${String(member)} was.`);
      },
    },
  ) as unknown as Port;
