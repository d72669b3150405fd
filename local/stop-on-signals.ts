/** The terminal gives a Ctrl-C to this process; npm hands the same Ctrl-C on within this time. */
const SAME_SIGNAL_MS = 500;

/**
 * The first Ctrl-C or SIGTERM stops what runs and then ends the process with the exit code; a
 * second signal ends the process at once.
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
