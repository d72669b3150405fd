import { createHash } from 'node:crypto';
import { DAY_SECONDS, type PublicText, publicText } from '../runtime/public-endpoint.ts';
import { PAGE_STYLES, START_SCRIPT } from './docs-page.ts';

/** The files of the page: it loads the first two, which a method's burst lets through at once. */
export const ASSET_NAMES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
] as const;

interface SwaggerUi {
  readonly styles: string;
  readonly script: string;
  readonly licenses: string;
}

/** The assets by name, made at the first call: hashing Swagger UI takes some milliseconds. */
export type DocsAssets = () => ReadonlyMap<string, PublicText>;

export const docsAssets = (swaggerUi: SwaggerUi): DocsAssets => {
  let assets: ReturnType<DocsAssets> | undefined;
  return () => {
    assets ??= assetsOf(swaggerUi);
    return assets;
  };
};

const assetsOf = ({ styles, script, licenses }: SwaggerUi): ReturnType<DocsAssets> => {
  const asset = (
    name: (typeof ASSET_NAMES)[number],
    text: string,
    mediaType: string,
  ): [string, PublicText] => [
    name,
    publicText(text, { mediaType: `${mediaType}; charset=utf-8`, maxAgeSeconds: DAY_SECONDS }),
  ];
  return new Map([
    asset('swagger-ui.css', `${styles}\n${PAGE_STYLES}`, 'text/css'),
    asset('swagger-ui-bundle.js', `${script}\n${START_SCRIPT}`, 'text/javascript'),
    asset('swagger-ui-bundle.js.LICENSE.txt', licenses, 'text/plain'),
  ]);
};

/** Changes when an asset changes. */
export const versionOf = (assets: ReturnType<DocsAssets>): string => {
  const version = createHash('sha256');
  for (const { entityTag } of assets.values()) version.update(entityTag);
  return version.digest('hex').slice(0, 12);
};
