import type { Answer } from './route.ts';

/** The answer 304 of every public document. */
export const NOT_MODIFIED = {
  status: 304,
  description: 'The caller has it already: `If-None-Match` names it.',
  headers: ['ETag', 'Cache-Control'],
} as const satisfies Answer;
