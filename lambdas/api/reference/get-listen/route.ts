import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/listen.mjs',
  operationId: 'getListen',
  summary: 'Download the program that receives on localhost',
  description:
    'A program for Node 20 or later, in one file without dependencies: `node listen.mjs --help`. It reads an integration’s deliveries from this API and posts them to an address on your machine. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The program, with the address of this API.',
    schema: z.string(),
    mediaType: 'text/javascript',
  }),
  refusals: [],
} as const satisfies Route;
