import * as z from 'zod';
import { newWebhookSecret } from '../../../../adapters/crypto/random-ids.ts';
import { buildRotateSecret } from '../../../../core/integration/rotate-secret.ts';
import { composeWriting } from '../../../composition/changing.ts';
import { sealingVariables, troubleVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...sealingVariables, ...troubleVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeWriting(environment);
  return {
    rotateSecret: buildRotateSecret({ ...ports, newWebhookSecret }),
    now: ports.now,
    logger: createLogger(),
  };
};
