import type { Logger } from '../../../runtime/reporting.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import { homePage } from './page.ts';
import { route } from './route.ts';

export const createHandler = (deps: { console: URL | undefined; logger: Logger }) =>
  publicEndpoint(route, deps.logger, ({ requestContext: { path } }) =>
    homePage({ folder: folderAt(path), console: deps.console }),
  );

/** Browsers resolve relative addresses by the slash at the end of a path, such as `/prod/`. */
const folderAt = (path: string): string =>
  path.endsWith('/') ? '' : `${encodeURIComponent(path.split('/').at(-1) ?? '')}/`;
