/** The gateway ignores a slash at the end; a browser resolves relative addresses by it. */
const folderAt = (path: string): string => (path.endsWith('/') ? '' : 'docs/');

/** No foreign sources, no inline code, no framing. Swagger UI has `data:` images in its styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const DOCS_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

/**
 * The page, as HTML. All its addresses are relative, since it may be served below a stage's path.
 * `version` changes when the assets change.
 */
export const docsPage = (path: string, version: string): string => {
  const folder = folderAt(path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Integrations API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}swagger-ui.css?v=${version}">
<link rel="stylesheet" href="${folder}page.css?v=${version}">
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The same is in <a href="${folder}../openapi.json">openapi.json</a>.</p></noscript>
<script src="${folder}swagger-ui-bundle.js?v=${version}"></script>
<script src="${folder}start.js?v=${version}"></script>
</body>
</html>
`;
};

/** Swagger UI's colours where WCAG asks for more contrast: 4.5 to 1. */
export const PAGE_STYLES = `
.swagger-ui .info .title small.version-stamp { background: #3f6900; }
.swagger-ui .info a, .swagger-ui .info .link .url { color: #1f5fb0; }
.swagger-ui .btn.authorize { border-color: #0f6b43; color: #0f6b43; }
.swagger-ui .btn.authorize svg { fill: #0f6b43; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a62b3; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0f6b43; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4d00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6b62; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
.swagger-ui .parameter__in,
.swagger-ui table.headers .header-example,
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #555; }
.swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f2a1a1 !important; }
`;

/**
 * Starts Swagger UI, without the validator badge, which would send the API's address elsewhere.
 *
 * The reference names its server relative to itself; the page names the server's real address. The
 * operations of the first path are open, unless the page's address names another operation.
 */
export const START_SCRIPT = `const reference = new URL('../openapi.json', document.currentScript.src);
const server = new URL('.', reference).href.replace(/\\/$/, '');

const withServer = (response) => {
  if (response.url !== reference.href || !response.ok) return response;
  return { ...response, text: JSON.stringify({ ...JSON.parse(response.text), servers: [{ url: server }] }) };
};

const openFirstOperations = ({ specSelectors, layoutActions }) => {
  if (location.hash !== '') return;
  const [operations] = Object.values(specSelectors.specJson().toJS().paths);
  for (const { operationId, tags } of Object.values(operations)) {
    layoutActions.show(['operations', tags[0], operationId], true);
  }
};

const ui = SwaggerUIBundle({
  url: reference.href,
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  responseInterceptor: withServer,
  onComplete: () => openFirstOperations(ui.getSystem()),
  validatorUrl: null,
});
`;
