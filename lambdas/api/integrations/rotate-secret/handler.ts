import type { WriteIntegration } from '../../../../core/integration/write-integration.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { writeEndpoint } from '../write-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  rotateSecret: WriteIntegration;
  now: () => Date;
  logger: Logger;
}) => writeEndpoint(route, { ...deps, write: deps.rotateSecret }, 'integration.secret_rotated');
