/** Files of the page, bundled as texts. */
declare module 'swagger-ui-dist/*' {
  const text: string;
  export = text;
}
