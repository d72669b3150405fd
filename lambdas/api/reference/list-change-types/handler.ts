import { presentChangeTypes } from '../../../../core/changes/change-event.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../../runtime/public-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) => {
  const text = publicText(JSON.stringify(presentChangeTypes()), {
    mediaType: 'application/json',
    maxAgeSeconds: HOUR_SECONDS,
  });
  return publicEndpoint(route, deps.logger, () => text);
};
