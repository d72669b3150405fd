import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { font-size: 1.75rem; }
dt { margin-top: 1.25rem; font-size: 1.125rem; }
dd { margin: 0; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded and nothing runs: the page has its one style and its empty icon in it. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  /** Leads from the page to the documents of the API. */
  readonly folder: string;
  /** The web console; undefined in a stage without a console. */
  readonly console: URL | undefined;
}

/**
 * The page, as HTML. The addresses of the API's documents are relative, since the page may be
 * served below a stage's path.
 */
export const pageOf = ({ folder, console }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Integrations API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Integrations API</h1>
<p>Registers webhooks, shows what became of every delivery, and sends again what did not arrive.</p>
<dl>
${entries(folder, console).join('\n')}
</dl>
</main>
</body>
</html>
`;

const entries = (folder: string, console: URL | undefined): string[] => [
  ...(console
    ? [entry(console.href, 'Web console', 'Sign in to manage webhooks and to watch deliveries.')]
    : []),
  entry(`${folder}docs`, 'Reference', 'Every call, to read and to try.'),
  entry(`${folder}openapi.json`, 'OpenAPI document', 'The reference for programs.'),
  entry(
    `${folder}listen.mjs`,
    'Receive on localhost',
    'A program for Node, with the address of this API.',
  ),
];

const entry = (address: string, name: string, description: string): string =>
  `<dt><a href="${address}">${name}</a></dt>\n<dd>${description}</dd>`;
