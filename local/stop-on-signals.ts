/** The terminal sends Ctrl-C to this process; npm passes the same Ctrl-C on within this time. */
const SAME_SIGNAL_MS = 500;

/** Stops at the first Ctrl-C or SIGTERM. A second one ends the process at once, with 130. */
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
