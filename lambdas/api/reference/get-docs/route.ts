import * as z from 'zod';
import { NOT_MODIFIED } from '../../runtime/public-answers.ts';
import type { Route } from '../../runtime/route.ts';

const text = z.string();

const usual = {
  method: 'GET',
  access: 'public',
  tag: 'Reference',
  requestHeaders: ['If-None-Match'],
} as const;

export const route = {
  ...usual,
  path: '/docs',
  operationId: 'getDocs',
  summary: 'Read this reference as a page',
  description:
    'The page of the OpenAPI document, to read and to try the API from. `Accept` is not looked at.',
  answers: [
    {
      status: 200,
      description: 'The page.',
      schema: text,
      mediaType: 'text/html',
      headers: ['ETag', 'Cache-Control'],
    },
    NOT_MODIFIED,
  ],
  refusals: [],
} as const satisfies Route;

const ASSET_MEDIA_TYPES = ['text/css', 'text/javascript', 'text/plain'] as const;

export const assetRoute = {
  ...usual,
  path: '/docs/{asset}',
  operationId: 'getDocsAsset',
  summary: 'Read what the page loads',
  description: 'Styles and scripts of the page, and their licences. `Accept` is not looked at.',
  answers: [
    ...ASSET_MEDIA_TYPES.map(
      (mediaType) =>
        ({
          status: 200,
          description: 'The file.',
          schema: text,
          mediaType,
          headers: ['ETag', 'Cache-Control'],
        }) as const,
    ),
    NOT_MODIFIED,
  ],
  refusals: ['not-found'],
} as const satisfies Route;
