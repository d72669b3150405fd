import type { Logger } from '../../../runtime/reporting.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../../runtime/public-endpoint.ts';
import { CONTENT_SECURITY_POLICY, pageOf } from './page.ts';
import { route } from './route.ts';

export const createHandler = (deps: { console: URL | undefined; logger: Logger }) => {
  const page = (folder: string) =>
    publicText(pageOf({ folder, console: deps.console }), {
      mediaType: 'text/html; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
      headers: {
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Referrer-Policy': 'no-referrer',
      },
    });
  return publicEndpoint(route, deps.logger, ({ requestContext: { path } }) => page(folderAt(path)));
};

/** Browsers resolve relative addresses by the slash at the end of a path, such as `/prod/`. */
const folderAt = (path: string): string =>
  path.endsWith('/') ? '' : `${encodeURIComponent(path.split('/').at(-1) ?? '')}/`;
