import type { Logger } from '../../../runtime/reporting.ts';
import { basePath } from '../../runtime/base-path.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../../runtime/public-endpoint.ts';
import { llmsTxt } from './document.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) =>
    publicText(llmsTxt(basePath(event)), {
      mediaType: 'text/plain; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
    }),
  );
