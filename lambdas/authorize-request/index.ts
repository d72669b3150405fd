import { entry } from '../runtime/entries.ts';
import { compose, environmentSchema } from './compose.ts';
import { createHandler } from './handler.ts';

export const handler = entry(process.env, { environmentSchema, compose, createHandler });
