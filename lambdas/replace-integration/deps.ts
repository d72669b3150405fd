import type { z } from 'zod';
import { createReplaceIntegration } from '../../core/integrations/replace-integration.ts';
import { composeIntegrationWriting } from '../_composition/integration-writing.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeIntegrationWriting(environment);
  return {
    replaceIntegration: createReplaceIntegration(ports),
    now: ports.now,
    logger: createLogger(),
  };
};
