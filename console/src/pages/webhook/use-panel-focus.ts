import { type RefObject, useEffect, useRef } from 'react';

/**
 * The focus goes to a panel that opens, and back to its row when the panel closes. The row stays
 * where it was in the window, although everything above it takes more lines beside the panel.
 */
export const usePanelFocus = (event: string): RefObject<HTMLDivElement | null> => {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    start.current?.focus({ preventScroll: true });
    const row = rowOf(event);
    const release = row ? keepInPlace(row) : () => undefined;
    return () => {
      release();
      // The focus is elsewhere by then if another row was chosen.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) {
          rowOf(event)?.querySelector('a')?.focus({ preventScroll: true });
        }
      });
    };
  }, [event]);
  return start;
};

const rowOf = (event: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-event="${CSS.escape(event)}"]`);

/** As long as the panel takes to open. */
const OPENING_MS = 600;

const keepInPlace = (row: HTMLElement): (() => void) => {
  // On a narrow window the panel comes from below and would hide the row.
  const top = Math.min(row.getBoundingClientRect().top, window.innerHeight / 3);
  const observer = new ResizeObserver(() =>
    window.scrollBy(0, row.getBoundingClientRect().top - top),
  );
  observer.observe(document.body);
  observer.observe(row);
  const timer = setTimeout(() => observer.disconnect(), OPENING_MS);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
};
