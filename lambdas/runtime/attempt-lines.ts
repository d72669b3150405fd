/**
 * Of which attempts and deliveries the functions of the lanes write a log line each: of every one,
 * or of the attempts that were not delivered.
 */
export const ATTEMPT_LINES = ['all', 'undelivered'] as const;

export type AttemptLines = (typeof ATTEMPT_LINES)[number];
