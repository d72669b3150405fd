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
