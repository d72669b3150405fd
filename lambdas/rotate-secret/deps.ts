import type { z } from 'zod';
import { newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import { createRotateSecret } from '../../core/integrations/rotate-secret.ts';
import { composeIntegrationChanging } from '../_composition/integration-writing.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeIntegrationChanging(environment);
  return {
    rotateSecret: createRotateSecret({ ...ports, newWebhookSecret }),
    now: ports.now,
    logger: createLogger(),
  };
};
