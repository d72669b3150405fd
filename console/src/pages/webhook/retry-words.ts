import type { Retry } from '../../api/resources.ts';
import { findingOf } from './finding.ts';

/** What a retry came to, for the person who asked for it. */
export const retryInWords = ({
  result,
  status,
  attempt,
}: Pick<Retry, 'result' | 'status' | 'attempt'>): {
  readonly type: 'success' | 'error' | 'info';
  readonly text: string;
} => {
  if (result === 'recovered') {
    return {
      type: 'success',
      text: attempt
        ? 'Your endpoint confirmed the event. Everything that waits is being sent.'
        : 'Everything that waits is being sent.',
    };
  }
  if (result === 'nothing-to-retry') {
    return {
      type: 'info',
      text:
        status === 'busy'
          ? 'Nothing waits to be retried. The next delivery that your endpoint confirms ends the trouble.'
          : 'Nothing waits, so there was nothing to retry.',
    };
  }
  const { what, advice } = findingOf(attempt ?? {});
  return { type: 'error', text: `Not yet: ${what}. ${advice}` };
};
