import type { Logger } from '../../../runtime/reporting.ts';
import { pathParameter } from '../../runtime/path-parameter.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import type { DocsAssets } from '../get-docs/assets.ts';
import { route } from './route.ts';

export const createHandler = (deps: { assets: DocsAssets; logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) =>
    deps.assets().get(pathParameter(event, 'asset') ?? ''),
  );
