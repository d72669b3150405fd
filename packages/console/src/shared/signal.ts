import { useSyncExternalStore } from 'react';

/** A value whose subscribers are called when it changes. */
export interface Signal<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export const createSignal = <Value>(first: Value): Signal<Value> => {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(current, value)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useSignal = <Value>(signal: Signal<Value>): Value =>
  useSyncExternalStore(signal.subscribe, signal.get);
