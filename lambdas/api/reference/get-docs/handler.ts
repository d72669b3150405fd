import { createHash } from 'node:crypto';
import type { Logger } from '../../../runtime/reporting.ts';
import { type PublicText, publicEndpoint, publicText } from '../../runtime/public-endpoint.ts';
import type { AssetName } from './asset-names.ts';
import { CONTENT_SECURITY_POLICY, pageOf } from './page.ts';
import { PAGE_STYLES } from './page-styles.ts';
import { route } from './route.ts';
import { START_SCRIPT } from './start-script.ts';

export interface SwaggerUi {
  readonly styles: string;
  readonly script: string;
  readonly licenses: string;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export const createHandler = (deps: { swaggerUi: SwaggerUi; logger: Logger }) => {
  const assets = assetsOf(deps.swaggerUi);
  const pages = { besideFolder: page('docs/', assets), inFolder: page('', assets) };
  return publicEndpoint(deps.logger, ({ resource, requestContext, pathParameters }) => {
    if (resource !== route.path) return assets.get(pathParameters?.asset ?? '');
    // The gateway ignores a slash at the end; a browser resolves relative addresses by it.
    return requestContext.path.endsWith('/') ? pages.inFolder : pages.besideFolder;
  });
};

const assetsOf = ({ styles, script, licenses }: SwaggerUi): ReadonlyMap<string, PublicText> => {
  const asset = (name: AssetName, text: string, mediaType: string): [string, PublicText] => [
    name,
    publicText(text, { mediaType: `${mediaType}; charset=utf-8`, maxAgeSeconds: DAY_SECONDS }),
  ];
  return new Map([
    asset('swagger-ui.css', styles, 'text/css'),
    asset('swagger-ui-bundle.js', script, 'text/javascript'),
    asset('swagger-ui-bundle.js.LICENSE.txt', licenses, 'text/plain'),
    asset('page.css', PAGE_STYLES, 'text/css'),
    asset('start.js', START_SCRIPT, 'text/javascript'),
  ]);
};

const page = (folder: string, assets: ReadonlyMap<string, PublicText>): PublicText => {
  const version = createHash('sha256');
  for (const { entityTag } of assets.values()) version.update(entityTag);
  return publicText(pageOf({ folder, version: version.digest('hex').slice(0, 12) }), {
    mediaType: 'text/html; charset=utf-8',
    maxAgeSeconds: HOUR_SECONDS,
    headers: {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    },
  });
};
