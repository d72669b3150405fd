import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { escaped } from '../../../core/html.ts';
import { basePath } from '../runtime/base-path.ts';
import { BASE, type Guides } from '../runtime/guide.ts';

const STYLE = `
:root {
  color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif;
  --ground: light-dark(#fff, #12151d); --panel: light-dark(#f7f8fb, #191d28); --line: light-dark(#e1e4ec, #2a3040);
  --text: light-dark(#1b2030, #d5dae6); --quiet: light-dark(#566074, #a3acc0); --link: light-dark(#3a49b0, #c4c9ff);
  --keyword: light-dark(#a3165f, #ff9ec8); --string: light-dark(#17643a, #93d7a4);
  --number: light-dark(#8a4300, #ffbe85); --name: light-dark(#0b5a86, #8fd0ff);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.2em; }
header { display: flex; gap: 1.5rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); }
header a, nav a { text-decoration: none; }
header a:first-child { margin-right: auto; color: inherit; font-weight: 700; }
.frame > main { min-width: 0; padding: 1rem 1.5rem 4rem; }
.text {
  max-width: 59rem;
  h1, h2, h3 { line-height: 1.25; }
  h1 { font-size: 1.875rem; }
  h2 { margin: 2.25rem 0 0.75rem; font-size: 1.25rem; }
  h3 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
  dt { margin-top: 1.25rem; font-weight: 600; }
  dd { margin: 0; color: var(--quiet); }
  code, pre { font: 0.8125rem/1.6 ui-monospace, Menlo, Consolas, monospace; }
  code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--panel); }
  pre { margin: 0 0 1rem; padding: 0.75rem 0.75rem 0.75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
  pre code { padding: 0; background: none; }
  pre:has(+ .output) { margin: 0; border-radius: 8px 8px 0 0; }
  .output { background: none; }
  pre + .output { border-top: 0; border-radius: 0 0 8px 8px; }
  pre:not(.output) + .output::before { content: 'Output'; display: block; color: var(--quiet); font-family: system-ui, sans-serif; }
  .hljs-comment { color: var(--quiet); }
  .hljs-keyword, .hljs-tag, .hljs-meta { color: var(--keyword); }
  .hljs-string, .hljs-regexp, .hljs-symbol { color: var(--string); }
  .hljs-number, .hljs-literal, .hljs-type { color: var(--number); }
  .hljs-attr, .hljs-attribute, .hljs-built_in, .hljs-name, .hljs-title, .hljs-variable { color: var(--name); }
  .scroll { overflow-x: auto; }
  button {
    float: right; margin: 0 0 0 1rem; padding: 0.25rem 0.625rem; font: 0.8125rem system-ui, sans-serif;
    border: 1px solid var(--line); border-radius: 6px; background: var(--ground); color: var(--quiet); cursor: pointer;
  }
  table { border-collapse: collapse; min-width: 100%; }
  th, td { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
  th { color: var(--quiet); font-size: 0.875rem; }
}
nav { padding: 1rem 1.5rem 2rem; border-top: 1px solid var(--line); font-size: 0.9375rem; }
nav h2 { margin: 1.25rem 0 0.25rem; font-size: 0.8125rem; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.25rem 0.75rem; border-left: 2px solid var(--line); color: inherit; }
nav a:hover { color: var(--link); }
nav a[aria-current] { border-color: currentColor; color: var(--link); font-weight: 600; }
@media (min-width: 60rem) {
  .frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { order: -1; position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  header a[href="#pages"] { display: none; }
  .frame > main { padding: 1rem 3rem 4rem; }
  .text { max-width: 62rem; }
}
`;

/** Code, but no output, has a button that copies it, if the browser allows that and runs scripts. */
const SCRIPT = `
for (const code of navigator.clipboard ? document.querySelectorAll('.text pre:not(.output)') : []) {
  const text = code.textContent;
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  });
  code.prepend(button);
}
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only what is in the page or served beside it. Swagger UI has `data:` images in its styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(SCRIPT)}`,
  `style-src 'self' ${hashOf(STYLE)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
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

export const jsonSample = (value: unknown): Html =>
  html(`<pre class="output"><code>${escaped(JSON.stringify(value, undefined, 2))}</code></pre>`);

export interface Entry {
  readonly name: string;
  readonly description: string;
  /** Of the page that the name leads to. */
  readonly href?: string;
}

export const entryList = (entries: readonly Entry[]): Html =>
  html(`<dl>\n${entries.map(entryOf).join('\n')}\n</dl>`);

const entryOf = ({ name, description, href }: Entry): string => {
  const shown = href === undefined ? htmlOf(name) : link(href, name);
  return `<dt>${shown}</dt>\n<dd>${htmlOf(description)}</dd>`;
};

const link = (href: string, name: string): Html =>
  html(`<a href="${escaped(href)}">${htmlOf(name)}</a>`);

export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

/** Where a page is among the others. */
export interface Place {
  /** The path that the API is served at. */
  readonly base: string;
  /** The page's path below it. */
  readonly path: string;
  /** Links to all pages, as HTML with `BASE`. */
  readonly navigation: string;
  /** Undefined in a stage without a console. */
  readonly console: URL | undefined;
}

/** What the frame of every page needs. */
export interface FrameDeps {
  readonly guides: Guides;
  readonly console: URL | undefined;
}

export const pathOf = (event: APIGatewayProxyEvent): string =>
  event.requestContext.path.slice(basePath(event).length).replace(/\/$/, '');

export const placeOf = (event: APIGatewayProxyEvent, { guides, console }: FrameDeps): Place => ({
  base: basePath(event),
  path: pathOf(event),
  navigation: guides().navigation,
  console,
});

const navigationAt = ({ base, path, navigation }: Place): string =>
  navigation
    .replace(`href="${BASE}${path}"`, (link) => `${link} aria-current="page"`)
    .replaceAll(BASE, base);

const consoleLink = ({ console }: Place): string =>
  console ? `<a href="${escaped(console.href)}">Web console</a>` : '';

/** A page for people, with a list of all pages beside it, or below it in a narrow window. */
export const framedPage = (
  place: Place,
  title: string,
  main: string,
  head = '',
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${head}<style>${STYLE}</style>
</head>
<body>
<header><a href="${place.base}/">Integrations API</a>${consoleLink(place)}<a href="#pages">All pages</a></header>
<div class="frame">
${main}
<nav id="pages" aria-label="All pages">
${navigationAt(place)}
</nav>
</div>
<script>${SCRIPT}</script>
</body>
</html>
`;

export const htmlPage = (place: Place, title: string, content: readonly Html[]): string =>
  framedPage(
    place,
    title,
    `<main class="text">\n<h1>${htmlOf(title)}</h1>\n${content.join('\n')}\n</main>`,
  );
