/** The files that the page loads, beside the OpenAPI document. */
export const ASSET_NAMES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'page.css',
  'start.js',
] as const;

export type AssetName = (typeof ASSET_NAMES)[number];
