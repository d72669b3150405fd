import * as z from 'zod';
import { NOT_MODIFIED, type Route } from '../../runtime/route.ts';

const ASSET_MEDIA_TYPES = ['text/css', 'text/javascript', 'text/plain'] as const;

export const route = {
  method: 'GET',
  path: '/docs/{asset}',
  access: 'public',
  operationId: 'getDocsAsset',
  tag: 'Reference',
  summary: 'Read what the page loads',
  description: 'Styles and scripts of the page, and their licences. `Accept` is not looked at.',
  requestHeaders: ['If-None-Match'],
  answers: [
    ...ASSET_MEDIA_TYPES.map(
      (mediaType) =>
        ({
          status: 200,
          description: 'The file.',
          schema: z.string(),
          mediaType,
          headers: ['ETag', 'Cache-Control'],
        }) as const,
    ),
    NOT_MODIFIED,
  ],
  refusals: ['not-found'],
} as const satisfies Route;
