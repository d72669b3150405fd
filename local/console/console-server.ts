import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { SentMail } from 'local-aws/aws/mails.ts';
import { addressIn, isLoopback, type ListeningServer, listen } from 'local-aws/http-server.ts';
import type { ConsoleConfig } from '../../packages/console/serving/console-config.ts';
import {
  contentSecurityPolicy,
  SECURITY_HEADERS,
} from '../../packages/console/serving/response-headers.ts';
import { answerWithFile, readFiles, type ServedFiles } from './console-files.ts';
import { LINK_PATH } from './console-link.ts';
import type { ConsoleUser } from './console-users.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';
import { answerWithMailbox } from './mailbox.ts';
import { MAILBOX_PATH, startingPage } from './pages.ts';
import { type ConsoleAddresses, PROVIDER_PATH, signInAt } from './sign-in-addresses.ts';

export interface ConsoleServerOptions {
  readonly port: number;
  /** Origins whose pages may show the console in a frame. */
  readonly embedIn: readonly string[];
  /** The page of a platform that opens the console. */
  readonly platformUrl?: string;
  readonly users: readonly ConsoleUser[];
}

export interface ConsoleServer extends ConsoleAddresses, Pick<ListeningServer, 'close'> {
  /** Begins to serve the console; until then there is a page that says so. */
  serve(deployment: Deployment): Promise<void>;
}

interface Deployment {
  /** Of the console's files. */
  readonly directory: string;
  readonly api: string;
  /** Oldest first; read at each request of the mailbox. */
  readonly mailed: readonly SentMail[];
  /** Returns the address of a new link to the console. */
  readonly newLink: () => Promise<string>;
}

interface Served extends Pick<Deployment, 'mailed' | 'newLink'> {
  readonly files: ServedFiles;
  readonly policy: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Its files have the path that they are served at. */
const PAGES_DIRECTORY = join(import.meta.dirname, 'pages');

/** Nothing is loaded but the provider's own style sheet, script and icon, and no other form sent. */
const PROVIDER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the web console, with an OpenID provider under `/oidc`. Throws if the port is taken. */
export const startConsoleServer = async ({
  port,
  embedIn,
  platformUrl,
  users,
}: ConsoleServerOptions): Promise<ConsoleServer> => {
  let served: Served | undefined;
  const assets = await readFiles(PAGES_DIRECTORY);
  const server = await listen((request, response) => answer(request, response), {
    port,
    portOption: '--console-port',
  });
  const { host, origin } = new URL(`http://localhost:${server.port}`);
  const signIn = signInAt(origin);
  const provider = loadProvider({ origin, users });

  const answer: Answer = async (request, response) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (request.headers.host !== host) return leadToConsole(request, response, origin);
    const path = request.url ?? '/';
    const isOfProvider = path.startsWith(`${PROVIDER_PATH}/`);
    const policy = isOfProvider || !served ? PROVIDER_POLICY : served.policy;
    response.setHeader('content-security-policy', policy);
    if (assets.has(path)) return answerWithFile(request, response, assets);
    if (isOfProvider) return (await provider)(request, response);
    if (!served) return sayStarting(response);
    const { path: page, query } = addressIn(path);
    if (page === LINK_PATH) {
      response.writeHead(303, { location: await served.newLink(), 'cache-control': 'no-store' });
      response.end();
      return;
    }
    if (page === MAILBOX_PATH) return answerWithMailbox(response, served.mailed, query);
    if (embedIn.length > 0) response.removeHeader('x-frame-options');
    return answerWithFile(request, response, served.files);
  };

  return {
    origin,
    signIn,
    serve: async ({ api, directory, mailed, newLink }) => {
      await provider;
      const { clientId, issuer } = signIn;
      const config: ConsoleConfig = {
        api,
        signIn: { issuer, clientId },
        ...(platformUrl !== undefined && { platformUrl }),
      };
      const configFile = Buffer.from(JSON.stringify(config));
      served = {
        files: new Map([...(await readFiles(directory)), ['/config.json', configFile]]),
        mailed,
        newLink,
        policy: contentSecurityPolicy({ api, signIn: [origin], embedIn }),
      };
    },
    close: server.close,
  };
};

/** Loaded while the rest starts: the provider's library takes a third of a second. */
const loadProvider = (options: IdentityProviderOptions): Promise<Answer> => {
  const loading = import('./identity-provider.ts').then(({ createProviderAnswer }) =>
    createProviderAnswer(options),
  );
  // A failure is reported where the provider is awaited.
  loading.catch(() => {});
  return loading;
};

/** Answers under another host name, to which an attacker may have pointed this machine. */
const leadToConsole = (
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): void => {
  const isAddress = isLoopback(request.headers.host, request);
  const path = request.url?.startsWith('/') ? request.url : '/';
  response.writeHead(isAddress ? 307 : 421, isAddress ? { location: origin + path } : {});
  response.end();
};

const sayStarting = (response: ServerResponse): void => {
  response.writeHead(503, {
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    refresh: '1',
    'retry-after': '1',
  });
  response.end(startingPage());
};
