/** The request for one round of deliveries. */
export interface RoundRequest {
  readonly deliveries: number;
  /** Where to write a CPU profile of the round. */
  readonly profileFile?: string | undefined;
}

export interface Round {
  readonly cpuS: number;
  readonly failed: number;
}

/** The CPU time of this process, all its threads, while the work is done. */
export const cpuSecondsOf = async (work: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
