import type { Status } from '../../api/resources.ts';
import type { Sign } from './outcome.ts';

/** The status of a webhook beside its address. */
export const STATUS_IN_WORDS: Readonly<
  Record<Status, { readonly sign: Sign; readonly words: string }>
> = {
  active: { sign: 'success', words: 'Active' },
  busy: { sign: 'warning', words: 'Busy' },
  failed: { sign: 'error', words: 'Failed' },
  inactive: { sign: 'stopped', words: 'Switched off' },
};
