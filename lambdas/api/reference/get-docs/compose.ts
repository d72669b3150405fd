import license from 'swagger-ui-dist/LICENSE' with { type: 'text' };
import notice from 'swagger-ui-dist/NOTICE' with { type: 'text' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import scriptLicenses from 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt' with { type: 'text' };
import * as z from 'zod';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({});

export type Environment = z.input<typeof environmentSchema>;

export const compose = () => ({
  swaggerUi: { styles, script, licenses: [notice, license, scriptLicenses].join('\n\n') },
  logger: createLogger(),
});
