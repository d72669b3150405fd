import { createRequire } from 'node:module';
import { escaped } from '../../core/html.ts';

const LANGUAGES = [
  'bash',
  'go',
  'http',
  'java',
  'javascript',
  'json',
  'nginx',
  'php',
  'python',
  'ruby',
  'sql',
  'typescript',
  'xml',
];

interface Highlighter {
  newInstance(): Highlighter;
  registerLanguage(name: string, language: unknown): void;
  /** Also by an alias, such as the extension of its files. */
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ): {
    readonly value: string;
  };
}

// An import would bring the package's types, and with them those of a browser into all our code.
const require = createRequire(import.meta.url);
const library: Highlighter = require('highlight.js/lib/core');
const highlighter = library.newInstance();
for (const name of LANGUAGES) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/**
 * Code as HTML. `html-page.ts` gives its classes their colours. `language` is a name or the extension of
 * files, such as `js`; a text in a language that is not listed has no colours.
 */
export const highlighted = (text: string, language: string): string =>
  highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language, ignoreIllegals: true }).value
    : escaped(text);
