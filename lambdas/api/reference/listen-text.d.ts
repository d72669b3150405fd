/** The program, bundled as a text. */
declare module '*/listen.mjs' {
  const text: string;
  export = text;
}
