import type { Logger } from '../../../runtime/reporting.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import type { DocsAssets } from '../get-docs/assets.ts';
import { route } from './route.ts';

export const createHandler = (deps: { assets: DocsAssets; logger: Logger }) =>
  publicEndpoint(route, deps.logger, ({ pathParameters }) =>
    deps.assets().get(pathParameters?.asset ?? ''),
  );
