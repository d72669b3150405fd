import * as z from 'zod';
import { buildReplaceIntegration } from '../../../../core/integration/replace-integration.ts';
import { composeAddressCheck, composeWriting } from '../../../composition/changing.ts';
import {
  addressVariables,
  sealingVariables,
  troubleVariables,
} from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({
  ...addressVariables,
  ...sealingVariables,
  ...troubleVariables,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = { ...composeWriting(environment), ...composeAddressCheck(environment) };
  return {
    replaceIntegration: buildReplaceIntegration(ports),
    now: ports.now,
    logger: createLogger(),
  };
};
