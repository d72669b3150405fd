import * as z from 'zod';

/** It reads nothing: what it answers is the same in every stage. */
export const environmentSchema = z.object({});

export type Environment = z.input<typeof environmentSchema>;
