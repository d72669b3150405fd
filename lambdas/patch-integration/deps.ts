import type { z } from 'zod';
import { createPatchIntegration } from '../../core/integrations/patch-integration.ts';
import { composeIntegrationWriting } from '../_composition/integration-writing.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeIntegrationWriting(environment);
  return {
    patchIntegration: createPatchIntegration(ports),
    now: ports.now,
    logger: createLogger(),
  };
};
