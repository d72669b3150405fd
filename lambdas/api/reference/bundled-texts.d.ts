/** The program, bundled as a text. */
declare module '*/listen.mjs' {
  const text: string;
  export = text;
}

/** The files of Swagger UI, bundled as texts. */
declare module 'swagger-ui-dist/*' {
  const text: string;
  export = text;
}
