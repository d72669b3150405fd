import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import type { DocsAssets } from './docs-assets.ts';

const ASSET_MEDIA_TYPES = ['text/css', 'text/javascript', 'text/plain'] as const;

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/docs/{asset}',
  operationId: 'getDocsAsset',
  summary: 'Read what the page loads',
  description: 'Styles and scripts of the page, and their licences. `Accept` is not looked at.',
  answers: documentAnswers(
    ...ASSET_MEDIA_TYPES.map((mediaType) => ({
      description: 'The file.',
      schema: z.string(),
      mediaType,
    })),
  ),
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { assets: DocsAssets; logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => deps.assets().get(pathParameter(event, 'asset') ?? ''));
