import * as z from 'zod';
import { wordsOf } from './reasons.ts';

/** The members of a document that say why an attempt got no answer. */
export const reasonMembers = {
  reason: z.string().optional().meta({
    description:
      'Why there was no answer, by a name that `GET /reasons` lists; instead of `statusCode`.',
  }),
  detail: z.string().optional().meta({ description: 'The `reason` in words.' }),
};

export const presentReason = (reason: string): { reason: string; detail?: string } => {
  const words = wordsOf(reason);
  return { reason, ...(words && { detail: words.what }) };
};
