import type { FlashbarProps } from '@cloudscape-design/components';
import { createSignal, useSignal } from '../shared/signal.ts';

/** The result of something that the user did. */
export interface Notice {
  readonly type: 'success' | 'warning' | 'error' | 'info';
  readonly text: string;
}

const latest = createSignal<(Notice & { readonly id: string }) | undefined>(undefined);

/** Shows a notice above the page. It replaces the former notice: a stack would hide the page. */
export const tell = (notice: Notice): void => latest.set({ ...notice, id: crypto.randomUUID() });

/** The notice that is shown, for Cloudscape's `Flashbar`. */
export const useNotices = (): readonly FlashbarProps.MessageDefinition[] => {
  const notice = useSignal(latest);
  if (notice === undefined) return [];
  const onDismiss = () => latest.set(undefined);
  const { id, type, text: content } = notice;
  return [{ id, type, content, dismissible: true, dismissLabel: 'Dismiss', onDismiss }];
};
