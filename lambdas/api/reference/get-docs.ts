import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import type { DocsAssets } from './docs-assets.ts';
import { CONTENT_SECURITY_POLICY, pageOf } from './docs-page.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/docs',
  operationId: 'getDocs',
  summary: 'Read this reference as a page',
  description:
    'The page of the OpenAPI document, to read and to try the API from. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The page.',
    schema: z.string(),
    mediaType: 'text/html',
  }),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { assets: DocsAssets; logger: Logger }) =>
  publicEndpoint(deps.logger, ({ requestContext: { path } }) =>
    publicText(pageOf({ folder: folderAt(path), version: versionOf(deps.assets()) }), {
      mediaType: 'text/html; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
      headers: {
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Referrer-Policy': 'no-referrer',
      },
    }),
  );

/** The gateway ignores a slash at the end; a browser resolves relative addresses by it. */
const folderAt = (path: string): string => (path.endsWith('/') ? '' : 'docs/');

const versionOf = (assets: ReturnType<DocsAssets>): string => {
  const version = createHash('sha256');
  for (const { entityTag } of assets.values()) version.update(entityTag);
  return version.digest('hex').slice(0, 12);
};
