import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 688px)');

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether a table has no room. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
