/** Runs work that needs a number of bytes, as soon as so many are free. */
export type Room = <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Memory that several tasks share: work waits until it has room, first come, first served. Work
 * that needs more than there is runs alone.
 */
export const createRoom = (capacity: number): Room => {
  let free = capacity;
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  const admit = (): void => {
    for (;;) {
      const [next] = waiting;
      if (next === undefined || next.bytes > free) return;
      waiting.shift();
      free -= next.bytes;
      next.enter();
    }
  };
  return async (wanted, work) => {
    const bytes = Math.min(wanted, capacity);
    await new Promise<void>((enter) => {
      waiting.push({ bytes, enter });
      admit();
    });
    try {
      return await work();
    } finally {
      free += bytes;
      admit();
    }
  };
};
