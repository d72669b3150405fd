import type { Logger } from '../../../runtime/reporting.ts';
import { openApiBelowBasePath } from '../../openapi/below-base-path.ts';
import { basePath } from '../../runtime/base-path.ts';
import {
  HOUR_SECONDS,
  type PublicText,
  publicEndpoint,
  publicText,
} from '../../runtime/public-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { createDocument: () => object; logger: Logger }) => {
  /** By the path that the API is served at: a stage's, or one that a domain name is mapped to. */
  const texts = new Map<string, PublicText>();
  const textBelow = (base: string): PublicText => {
    const text =
      texts.get(base) ??
      publicText(JSON.stringify(openApiBelowBasePath(deps.createDocument(), base)), {
        mediaType: 'application/json',
        maxAgeSeconds: HOUR_SECONDS,
      });
    texts.set(base, text);
    return text;
  };
  return publicEndpoint(route, deps.logger, (event) => textBelow(basePath(event)));
};
