import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

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
