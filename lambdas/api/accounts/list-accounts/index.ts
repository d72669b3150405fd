import { apiEntry } from '../../../runtime/entries.ts';
import { compose, environmentSchema } from './compose.ts';
import { createHandler } from './handler.ts';

export const handler = apiEntry(process.env, { environmentSchema, compose, createHandler });
