import license from 'swagger-ui-dist/LICENSE' with { type: 'text' };
import notice from 'swagger-ui-dist/NOTICE' with { type: 'text' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import scriptLicenses from 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt' with { type: 'text' };
import * as z from 'zod';
import { text } from '../runtime/environment.ts';
import { createLogger } from '../runtime/reporting.ts';
import { createOpenApiDocument } from './openapi/document.ts';
import { ROUTES } from './openapi/routes.ts';
import { CONTEXT_DOCUMENTS } from './reference/context-documents.ts';
import { docsAssets } from './reference/docs-assets.ts';
import { createHandler as getContext } from './reference/get-context.ts';
import { createHandler as getDocs } from './reference/get-docs.ts';
import { createHandler as getDocsAsset } from './reference/get-docs-asset.ts';
import { createHandler as getHome } from './reference/get-home.ts';
import { createHandler as getListen } from './reference/get-listen.ts';
import { createHandler as getLlmsTxt } from './reference/get-llms-txt.ts';
import { createHandler as getOpenapi } from './reference/get-openapi.ts';
import { createHandler as getProblem } from './reference/get-problem.ts';
import { createHandler as getReason } from './reference/get-reason.ts';
import { createHandler as listChangeTypes } from './reference/list-change-types.ts';
import { createHandler as listProblems } from './reference/list-problems.ts';
import { createHandler as listReasons } from './reference/list-reasons.ts';
import program from './reference/listen.mjs' with { type: 'text' };
import { dispatch } from './runtime/api-entry.ts';

export const environmentSchema = z.object({ SERVICE_VERSION: text, CONSOLE_URL: text.optional() });

export const compose = ({
  CONSOLE_URL,
  SERVICE_VERSION: version,
}: z.output<typeof environmentSchema>) => ({
  console: CONSOLE_URL === undefined ? undefined : new URL(CONSOLE_URL),
  assets: docsAssets({ styles, script, licenses: [notice, license, scriptLicenses].join('\n\n') }),
  documents: CONTEXT_DOCUMENTS,
  program,
  version,
  createDocument: () => createOpenApiDocument(ROUTES, { version }),
  logger: createLogger(),
});

/** The public routes. The function uses no table and no queue. */
export const createHandler = (deps: ReturnType<typeof compose>) =>
  dispatch(
    [
      getHome,
      getLlmsTxt,
      getContext,
      getOpenapi,
      getDocs,
      getDocsAsset,
      getListen,
      listChangeTypes,
      listProblems,
      getProblem,
      listReasons,
      getReason,
    ],
    deps,
  );
