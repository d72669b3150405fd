import { createSignal } from '../shared/signal.ts';
import { useSignal } from '../shared/use-signal.ts';

/** Narrow windows begin with the navigation closed: it would hide the page. */
const isWide = () => window.matchMedia('(min-width: 900px)').matches;

const isOpen = createSignal(isWide());

/** Whether the navigation is open, the same on every page. */
export const useNavigationOpen = (): [boolean, (open: boolean) => void] => [
  useSignal(isOpen),
  isOpen.set,
];

/** Called when another page is shown: on a narrow window the navigation gives way to it. */
export const closeNavigationIfNarrow = (): void => {
  if (!isWide()) isOpen.set(false);
};
