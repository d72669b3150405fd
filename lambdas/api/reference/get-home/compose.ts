import * as z from 'zod';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ CONSOLE_URL: text.optional() });

export type Environment = z.input<typeof environmentSchema>;

export const compose = ({ CONSOLE_URL }: z.output<typeof environmentSchema>) => ({
  console: CONSOLE_URL === undefined ? undefined : new URL(CONSOLE_URL),
  logger: createLogger(),
});
