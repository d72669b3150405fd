/** npm hands a Ctrl-C on that the terminal has given to the process already: both are one. */
const SAME_SIGNAL_MS = 500;

/**
 * The first Ctrl-C or SIGTERM stops and ends the process, with 0 unless that would say something
 * that is not so; another one, while that takes its time, ends it at once.
 */
export const stopOnSignals = (stop: () => Promise<void>, { exitCode = 0 } = {}): void => {
  let firstAtMs: number | undefined;
  const onSignal = (): void => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      stop().then(
        () => process.exit(exitCode),
        (fault: unknown) => {
          console.error(`error: ${fault instanceof Error ? fault.message : fault}`);
          process.exit(1);
        },
      );
    } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
};
