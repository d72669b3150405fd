import { randomUUID } from 'node:crypto';
import {
  type HttpAnswer,
  isLoopback,
  type ListeningServer,
  startHttpServer,
} from 'local-aws/http-server.ts';
import { escapeHtml } from './pages.ts';

export interface ConsoleLinks {
  /** Returns the address of a new link to a page of the console; throws if it is none. */
  newLink(page?: string): Promise<string>;
}

/** Of the page that shows the console. */
export const WEBHOOKS_PATH = '/webhooks';

interface EmbeddingPlatformOptions {
  readonly port: number;
  /** Makes a link to the console. A request that needs one waits until the service runs. */
  readonly links: Promise<ConsoleLinks>;
}

/**
 * Starts a little platform with a page that shows the console in a frame. Its users sign in there
 * alone (here without a password): its backend makes a link to the console for them.
 */
export const startEmbeddingPlatform = ({
  port,
  links,
}: EmbeddingPlatformOptions): Promise<ListeningServer> =>
  startHttpServer({
    port,
    portOption: '--platform-port',
    handle: async ({ headers, method, path, query }, received) => {
      // Not under another host name, to which an attacker may have pointed this machine.
      if (!isLoopback(headers.host, received)) return 421;
      if (method !== 'GET') return 405;
      if (path === '/') return html(SIGN_IN);
      if (path !== WEBHOOKS_PATH) return 404;
      const { newLink } = await links;
      const link = new URL(await newLink(query.get('page') ?? undefined).catch(() => newLink()));
      // This page is light, whatever the browser's setting.
      link.searchParams.set('theme', 'light');
      return html(webhooksPage(link.href), link.origin);
    },
  });

/** No cache keeps the link, whose code is good once. */
const html = (body: string, framed = "'none'"): HttpAnswer => ({
  status: 200,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['cache-control', 'no-store'],
    [
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; frame-src ${framed}; form-action 'self'; frame-ancestors 'none'`,
    ],
  ],
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Example platform</title>
<style>
body { margin: 0; display: flex; flex-direction: column; min-height: 100vh; font-family: system-ui, sans-serif; }
header { display: flex; gap: 24px; padding: 16px; background: #14532d; color: #fff; }
header a { color: inherit; }
main { flex: 1; display: flex; flex-direction: column; }
h1, p, form { margin: 16px; }
iframe { flex: 1; border: 0; }
</style>
${body}
</html>
`,
});

const SIGN_IN = `<header><strong>Example platform</strong></header>
<main>
<h1>Example platform</h1>
<p>It shows the web console in its own page, and its users sign in here alone.</p>
<form action="${WEBHOOKS_PATH}"><button>Sign in as Grace Hopper</button></form>
</main>`;

/**
 * A browser that comes back to the page restores the last address of a frame that it knows by its
 * name, and the code is no longer in that address: each time the frame has another name.
 */
const webhooksPage = (link: string): string =>
  `<header><strong>Example platform</strong> <span>Grace Hopper</span> <a href="/">Sign out</a></header>
<main aria-label="Webhooks of the platform">
<iframe title="Webhooks" name="${randomUUID()}" src="${escapeHtml(link)}" allow="clipboard-write"></iframe>
</main>`;
