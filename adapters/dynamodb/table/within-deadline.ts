/** Rejects when the time is up, and tells the call by its signal. */
export const withinDeadline = async <Result>(
  deadlineMs: number,
  call: (abortSignal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const deadline = new AbortController();
  const { signal } = deadline;
  const timer = setTimeout(
    () => deadline.abort(new Error('The table takes too long.')),
    deadlineMs,
  );
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return await Promise.race([call(signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
