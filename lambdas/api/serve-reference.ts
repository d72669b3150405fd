import { readFileSync } from 'node:fs';
import license from 'swagger-ui-dist/LICENSE' with { type: 'text' };
import notice from 'swagger-ui-dist/NOTICE' with { type: 'text' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import scriptLicenses from 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt' with { type: 'text' };
import * as z from 'zod';
import { text } from '../runtime/environment.ts';
import { createLogger } from '../runtime/reporting.ts';
import { openApiTexts } from './openapi/below-base-path.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { ROUTES } from './openapi/routes.ts';
import { docsAssets } from './reference/docs-assets.ts';
import { guidesIn } from './reference/guides.ts';
import program from './reference/listen.mjs' with { type: 'text' };
import { REFERENCE_ROUTES } from './routes.ts';
import { dispatch } from './runtime/api-entry.ts';

export const environmentSchema = z.object({ SERVICE_VERSION: text, CONSOLE_URL: text.optional() });

export const compose = ({
  CONSOLE_URL,
  SERVICE_VERSION: version,
}: z.output<typeof environmentSchema>) => ({
  console: CONSOLE_URL === undefined ? undefined : new URL(CONSOLE_URL),
  assets: docsAssets({ styles, script, licenses: [notice, license, scriptLicenses].join('\n\n') }),
  program,
  // Beside the bundle: most requests need none of them.
  guides: guidesIn(() => readFileSync(new URL('guides.json', import.meta.url), 'utf8')),
  version,
  openApiText: openApiTexts(() => createOpenApiDocument(ROUTES, { version })),
  logger: createLogger(),
});

export const createHandler = (deps: ReturnType<typeof compose>) => dispatch(REFERENCE_ROUTES, deps);
