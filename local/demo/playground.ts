import { tlsOf } from 'local-aws/certificates.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  type ListeningServer,
  startHttpServer,
} from 'local-aws/http-server.ts';
import type { LocalAws } from 'local-aws/local-aws.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { eventsAskedFor, PlaygroundRefusal } from './events.ts';
import { type HookRequest, headerOf, PlaygroundHook, presentHook } from './playground-hook.ts';

export interface PlaygroundOptions {
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
  /** Sends events, and has notices. A request for either waits until the platform is there. */
  readonly platform: Promise<Platform>;
  /** How long a reader waits for requests that have not been received yet. */
  readonly patienceMs?: number;
}

export interface Playground extends ListeningServer {
  /** The endpoint of that name, which is there from the first call on. */
  hookOf(name: string): PlaygroundHook;
}

export interface Platform {
  readonly account: string;
  readonly sendEvent: (event: PlatformEvent) => Promise<unknown>;
  readonly notices: Pick<LocalAws, 'published' | 'mailed'>;
}

/** Room for the largest message of the events queue, of one MiB, with escaped characters. */
const MAXIMUM_BODY_BYTES = 2 * 1_024 * 1_024;
const PATIENCE_MS = 20_000;
const MAXIMUM_COUNT = 100;

const HELP = `The playground of this run: endpoints for webhooks, and a place to send events from.

POST /hooks/<name>                 a webhook endpoint; names are of a-z 0-9 -
PUT  /hooks/<name>/answer          500, 504, 204, …: the endpoint's answer from now on
GET  /hooks/<name>                 the endpoint's requests, newest first; the last 100 are kept
GET  /hooks/<name>/latest/body     the latest request's body, byte for byte
GET  /hooks/<name>/latest/headers/<header>
       ?delivery=<id>              requests of one delivery only
       ?count=<n>                  waits up to 20 s for n requests (/latest/… waits for one anyway)
POST /events                       {"type":"message.received"}: sends an event, as the platform
                                   does; the body may also have id, account and data
       ?count=<n>                  sends n events
GET  /notices                      what the service told of changes, newest last: the events on its bus
                                   and its e-mails; the last 1,000 of both are kept
`;

/** Starts an HTTPS server that has webhook endpoints to register, and that sends events. */
export const startPlayground = async (options: PlaygroundOptions): Promise<Playground> => {
  const hooks = new Map<string, PlaygroundHook>();
  const hookOf = (name: string): PlaygroundHook => {
    const hook = hooks.get(name) ?? new PlaygroundHook();
    hooks.set(name, hook);
    return hook;
  };
  const server = await startHttpServer({
    port: options.port,
    portOption: '--playground-port',
    maximumBodyBytes: MAXIMUM_BODY_BYTES,
    forProgramsOnly: true,
    tls: await tlsOf(options),
    handle: async (request) => {
      try {
        return await answer(request, { ...options, hookOf });
      } catch (fault) {
        if (fault instanceof PlaygroundRefusal) return text(fault.status, `${fault.message}\n`);
        return text(500, `${fault instanceof Error ? fault.message : fault}\n`);
      }
    },
  });
  return { ...server, hookOf };
};

/** Everything that answers depend on, beside the request. */
type PlaygroundParts = Pick<PlaygroundOptions, 'platform' | 'patienceMs'> &
  Pick<Playground, 'hookOf'>;

const answer = async (request: HttpRequest, playground: PlaygroundParts): Promise<HttpAnswer> => {
  const { method, path, tooLarge } = request;
  if (tooLarge) {
    throw new PlaygroundRefusal(413, `A body has at most ${MAXIMUM_BODY_BYTES} bytes here.`);
  }
  if (method === 'GET' && path === '/') return text(200, HELP);
  if (method === 'POST' && path === '/events') return sendEvents(request, playground.platform);
  if (method === 'GET' && path === '/notices') return showNotices(playground.platform);
  const { name, rest = '' } = HOOK_PATH.exec(path)?.groups ?? {};
  if (name === undefined) throw unknownRequest(request);
  const hook = playground.hookOf(name);
  if (method === 'POST' && rest === '') return receive(request, hook);
  if (method === 'PUT' && rest === '/answer') return changeAnswer(request, hook);
  if (method === 'GET' && rest === '') {
    const requests = await find(request, { ...playground, hook, minimum: 0 });
    return json(200, JSON.stringify(presentHook(hook, requests), null, 2));
  }
  if (method === 'GET' && LATEST_PATH.test(rest)) {
    const [latest] = await find(request, { ...playground, hook, minimum: 1 });
    return showLatest(latest, LATEST_PATH.exec(rest)?.groups?.header);
  }
  throw unknownRequest(request);
};

const HOOK_PATH = /^\/hooks\/(?<name>[a-z0-9-]{1,40})(?<rest>\/.*)?$/;
const LATEST_PATH = /^\/latest\/(?:body|headers\/(?<header>[A-Za-z0-9-]+))$/;

const showLatest = (latest: HookRequest | undefined, header: string | undefined): HttpAnswer => {
  if (latest === undefined) throw new PlaygroundRefusal(404, 'None has arrived.');
  if (header === undefined) {
    return { status: 200, headers: [['content-type', 'application/json']], body: latest.body };
  }
  const value = headerOf(latest, header);
  if (value === undefined) throw new PlaygroundRefusal(404, `It has no header ${header}.`);
  return text(200, `${value}\n`);
};

const unknownRequest = ({ method, path }: HttpRequest): PlaygroundRefusal =>
  new PlaygroundRefusal(404, `There is no ${method} ${path} here.\n\n${HELP}`.trimEnd());

const sendEvents = async (
  { body, query }: HttpRequest,
  platform: Promise<Platform>,
): Promise<HttpAnswer> => {
  const { account, sendEvent } = await platform;
  const count = countIn(query, 1);
  const events = eventsAskedFor(body.toString(), { account, count, now: new Date() });
  await Promise.all(events.map(sendEvent));
  return json(202, JSON.stringify(count === 1 ? events[0] : events));
};

const showNotices = async (platform: Promise<Platform>): Promise<HttpAnswer> => {
  const { mailed, published } = (await platform).notices;
  return json(200, JSON.stringify({ published, mailed }, null, 2));
};

const receive = ({ body, rawHeaders }: HttpRequest, hook: PlaygroundHook): HttpAnswer => {
  const { statusCode } = hook.receive({ arrivedAt: new Date(), rawHeaders, body });
  const mayHaveBody = statusCode !== 204 && statusCode !== 304;
  return text(statusCode, mayHaveBody ? `This endpoint was told to answer ${statusCode}.\n` : '');
};

const changeAnswer = ({ body }: HttpRequest, hook: PlaygroundHook): HttpAnswer => {
  const wish = body.toString().trim();
  if (!/^[2-5]\d\d$/.test(wish)) {
    throw new PlaygroundRefusal(422, 'An answer is a status code from 200 to 599.');
  }
  hook.answerWith(Number(wish));
  return text(200, `The endpoint answers ${wish} from now on.\n`);
};

const find = (
  { clientGone, query }: HttpRequest,
  {
    hook,
    minimum,
    patienceMs = PATIENCE_MS,
  }: PlaygroundParts & { hook: PlaygroundHook; minimum: number },
) =>
  hook.requests({
    delivery: query.get('delivery') ?? undefined,
    count: countIn(query, minimum),
    patience: AbortSignal.any([clientGone, AbortSignal.timeout(patienceMs)]),
  });

const countIn = (query: URLSearchParams, ifAbsent: number): number => {
  const wish = query.get('count');
  if (wish === null) return ifAbsent;
  const count = /^\d{1,3}$/.test(wish) ? Number(wish) : 0;
  if (count >= 1 && count <= MAXIMUM_COUNT) return count;
  throw new PlaygroundRefusal(422, `A count is a whole number from 1 to ${MAXIMUM_COUNT}.`);
};

const text = (status: number, body: string): HttpAnswer => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body,
});

const json = (status: number, body: string): HttpAnswer => ({
  status,
  headers: [['content-type', 'application/json']],
  body: `${body}\n`,
});
