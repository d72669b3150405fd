import { createHash } from 'node:crypto';
import { escaped } from '../../../core/html.ts';

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { font-size: 1.75rem; }
h2 { margin: 2rem 0 0; font-size: 1.125rem; }
h2 + p { margin-top: 0; }
dt { margin-top: 1.25rem; font-size: 1.125rem; }
dd { margin: 0; }
pre { padding: 1rem; border: 1px solid GrayText; }
pre, .wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid GrayText; text-align: left; vertical-align: top; }
h3 { margin: 1.5rem 0 0; font-size: 1rem; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded and nothing runs: the page has its one style and its empty icon in it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** HTML, as opposed to a text, which `htmlOf` escapes. */
export type Html = string & { readonly isHtml: true };

/** For HTML that was made of our own documents. */
export const madeHtml = (text: string): Html => text as Html;

const html = madeHtml;

/** A text of the catalogues, whose code is between backticks. */
const htmlOf = (text: string): Html =>
  html(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));

export const paragraph = (text: string): Html => html(`<p>${htmlOf(text)}</p>`);

export const section = (heading: string, ...content: readonly Html[]): Html =>
  html(`<h2>${escaped(heading)}</h2>\n${content.join('\n')}`);

/** Reachable by keyboard, since it may be wider than the window. */
export const jsonSample = (value: unknown): Html =>
  html(`<pre tabindex="0">${escaped(JSON.stringify(value, undefined, 2))}</pre>`);

export interface Entry {
  readonly name: string;
  readonly description: string;
  /** Of the page that the name leads to. */
  readonly href?: string;
  /** By which an address leads to the entry. */
  readonly id?: string;
}

export const entryList = (entries: readonly Entry[]): Html =>
  html(`<dl>\n${entries.map(entryOf).join('\n')}\n</dl>`);

const entryOf = ({ name, description, href, id }: Entry): string => {
  const shown = href === undefined ? htmlOf(name) : link(href, name);
  const target = id === undefined ? '' : ` id="${escaped(id)}"`;
  return `<dt${target}>${shown}</dt>\n<dd>${htmlOf(description)}</dd>`;
};

export const link = (href: string, name: string): Html =>
  html(`<a href="${escaped(href)}">${htmlOf(name)}</a>`);

export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

/** A page for people. */
export const htmlPage = (title: string, content: readonly Html[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${htmlOf(title)}</h1>
${content.join('\n')}
</main>
</body>
</html>
`;
