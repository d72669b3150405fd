import { entry } from '../../runtime/entries.ts';
import { createHandler } from '../deliver-webhook/handler.ts';
import { compose, environmentSchema } from './compose.ts';

export const handler = entry(process.env, { environmentSchema, compose, createHandler });
