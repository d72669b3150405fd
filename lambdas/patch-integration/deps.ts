import type { z } from 'zod';
import { createPatchIntegration } from '../../core/integrations/patch-integration.ts';
import { composeIntegrationWriting } from '../_composition/integration-writing.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  patchIntegration: createPatchIntegration(composeIntegrationWriting(environment)),
  logger: createLogger(),
});
