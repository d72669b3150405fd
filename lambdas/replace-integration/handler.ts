import type { WriteIntegration } from '../../core/integrations/replace-integration.ts';
import type { Logger } from '../_runtime/logger.ts';
import { writeEndpoint } from '../_runtime/write-endpoint.ts';

export const createHandler = (deps: { replaceIntegration: WriteIntegration; logger: Logger }) =>
  writeEndpoint(
    { write: deps.replaceIntegration, logger: deps.logger },
    { logName: 'integration.replaced' },
  );
