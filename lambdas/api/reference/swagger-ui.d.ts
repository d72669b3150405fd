/** The files of Swagger UI, bundled as texts. */
declare module 'swagger-ui-dist/*' {
  const text: string;
  export = text;
}
