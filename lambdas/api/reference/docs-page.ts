import { framedPage, type Place } from './html-page.ts';

/** The page, as HTML. `version` changes when the assets change. */
export const docsPage = (place: Place, version: string): string => {
  const folder = `${place.base}/docs`;
  return framedPage(
    place,
    'API reference',
    `<main>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The same is in <a href="${place.base}/openapi.json">openapi.json</a>.</p></noscript>
<script src="${folder}/swagger-ui-bundle.js?v=${version}"></script>
</main>`,
    `<link rel="stylesheet" href="${folder}/swagger-ui.css?v=${version}">
`,
  );
};

/** Swagger UI's colours where WCAG asks for more contrast, 4.5 to 1, and its place in the frame. */
export const PAGE_STYLES = `
html, html.dark-mode .swagger-ui, html.dark-mode .swagger-ui .scheme-container { background: var(--ground); }
.swagger-ui .wrapper { padding: 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .responses-inner, .swagger-ui .table-container { overflow-x: auto; }
html:not(.dark-mode) {
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
}
.swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f2a1a1 !important; }
`;

/**
 * Starts Swagger UI, without the validator badge, which would send the API's address elsewhere.
 *
 * The reference names its server relative to itself; the page names the server's real address. The
 * operations of the first path are open, unless the page's address names another operation.
 */
export const START_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const reference = new URL('../openapi.json', document.currentScript.src);
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
