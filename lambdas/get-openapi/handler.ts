import { publicEndpoint, publicText } from '../_runtime/public-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';

const HOUR_SECONDS = 3_600;

export const createHandler = (deps: { document: object; logger: Logger }) => {
  const text = publicText(JSON.stringify(deps.document), {
    mediaType: 'application/json',
    maxAgeSeconds: HOUR_SECONDS,
  });
  return publicEndpoint(deps.logger, () => text);
};
