declare module 'punycode/punycode.es6.js' {
  /** The host name with labels that begin with `xn--` in Unicode. */
  export const toUnicode: (host: string) => string;
}
