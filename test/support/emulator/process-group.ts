/** Signals a process that was started detached, and all that it has started; none may be left. */
export const signalGroup = (leader: number | undefined, signal: NodeJS.Signals): void => {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ESRCH')) throw fault;
  }
};
