import type { Logger } from '../../../runtime/reporting.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import type { DocsAssets } from '../get-docs/assets.ts';

export { route } from './route.ts';

export const createHandler = (deps: { assets: DocsAssets; logger: Logger }) =>
  publicEndpoint(deps.logger, ({ pathParameters }) =>
    deps.assets().get(pathParameters?.asset ?? ''),
  );
