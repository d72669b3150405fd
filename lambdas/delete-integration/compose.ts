import * as z from 'zod';
import { buildDeleteIntegration } from '../../core/integration/delete-integration.ts';
import { composeChanging } from '../_composition/changing.ts';
import { troubleVariables } from '../_runtime/environment.ts';
import { createLogger } from '../_runtime/reporting.ts';

export const environmentSchema = z.object(troubleVariables);

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  deleteIntegration: buildDeleteIntegration(composeChanging(environment)),
  logger: createLogger(),
});
