import license from 'swagger-ui-dist/LICENSE' with { type: 'text' };
import notice from 'swagger-ui-dist/NOTICE' with { type: 'text' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import scriptLicenses from 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt' with { type: 'text' };
import type { z } from 'zod';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (_environment: z.output<typeof environmentSchema>) => ({
  swaggerUi: { styles, script, licenses: [notice, license, scriptLicenses].join('\n\n') },
  logger: createLogger(),
});
