import type { Logger } from '../../../runtime/reporting.ts';
import { pathParameter } from '../../runtime/path-parameter.ts';
import { DAY_SECONDS, publicEndpoint, publicText } from '../../runtime/public-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  /** Context documents by file name. */
  documents: ReadonlyMap<string, object>;
  logger: Logger;
}) => {
  const texts = new Map(
    deps.documents.entries().map(([name, document]) => [
      name,
      publicText(JSON.stringify(document), {
        mediaType: 'application/ld+json',
        maxAgeSeconds: DAY_SECONDS,
      }),
    ]),
  );
  return publicEndpoint(route, deps.logger, (event) =>
    texts.get(pathParameter(event, 'document') ?? ''),
  );
};
