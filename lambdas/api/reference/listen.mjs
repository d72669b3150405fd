// Receives the deliveries of an integration on your machine, without a public address: follows the
// delivery log through the API, and posts each event to a local address as the service would.
// One file, without dependencies. Needs Node 20 or later. `node listen.mjs --help` explains it.

import { createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

// The service fills in its address and version when it serves this file.
const API = '';
const VERSION = '';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const UNITS = { s: SECOND, m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };

/** Fewer requests than every stage of the service allows for a token: 300 a minute. */
const REQUESTS_PER_SECOND = 4;
const BURST = 40;
/** The pause between two looks at the delivery log grows while nothing happens. */
const SHORTEST_PAUSE = SECOND;
const LONGEST_PAUSE = 5 * SECOND;
const API_TIMEOUT = 30 * SECOND;
const LONGEST_API_PAUSE = 30 * SECOND;
/** As long as the service waits for an endpoint. */
const ANSWER_TIMEOUT = 15 * SECOND;
/** More than an answer of the API can have: a page of 100 deliveries, or the body of an event. */
const LARGEST_API_ANSWER = 16 * 2 ** 20;
/** As much as the service reads of an endpoint's answer. */
const LARGEST_ANSWER = 16 * 2 ** 10;

/**
 * The log is ordered by when events occurred, and an event is listed after its first attempt or when
 * it waits. So an event can appear below newer ones. Each look reads the latest two minutes again;
 * a late look, one in twelve and the first after a pause, reads the latest hour.
 */
const RECENT = 2 * MINUTE;
const LATE = 60 * MINUTE;
const LOOKS_UNTIL_LATE = 12;
/** How much of the past is read at once. It bounds the memory, and grows while nothing is found. */
const PERIOD = 2 * LATE;

const HELP = `Receive the deliveries of a webhook on this machine.

  SERVICE_TOKEN=mst_… WEBHOOK_SECRET=whsec_… \\
    node listen.mjs --to http://localhost:3000/hooks --integration <id>

Or check whether a receiver refuses what is forged:

  WEBHOOK_SECRET=whsec_… \\
    node listen.mjs --to http://localhost:3000/hooks --check service

Environment:
  SERVICE_TOKEN      an access token of the account; the role member is enough
  WEBHOOK_SECRET     signs what is posted. Your receiver verifies with it. The API does not get it.

Options:
  --to <address>     where to post events, http or https. Its certificate is not checked.
  --integration <id> the id of the webhook
  --since <when>     also older events: since 2026-11-20T12:00:00Z, or 90s, 30m, 2h or 7d ago
  --events <types>   only events of these types, such as message.received,contact.created
  --check <scheme>   post made-up events, signed or forged, and print what was expected and answered.
                     "service" if the receiver verifies X-Service-Signature, "standard" if it
                     verifies webhook-signature. Needs no --integration and no SERVICE_TOKEN.
  --undelivered      only events that the webhook's own address has not confirmed
  --tries <count>    how often an event is posted that gets no answer (120: about ten minutes)
  --secret <secret>  instead of WEBHOOK_SECRET; other users of this machine may see it
  --api <address>    the address of the API${API && ` (${API})`}

Each event is posted once, oldest first, with the body and headers of the service. Any status is an
answer. Without an answer in 15 seconds it is posted again, and later events wait; after --tries the
program stops. The webhook does not change, and its own address gets its events as well.

Exit codes: 0 after Ctrl-C or a check without a wrong answer, 1 if it cannot continue or an answer
is wrong, 2 if an argument is wrong.`;

/** Texts of others must neither control the terminal nor look like another line of this program. */
const printable = (text) => String(text).replaceAll(/[^\x20-\x7e]/g, '?');
const print = (text) => console.log(printable(text));
const tell = (text) => console.error(printable(text));

const textOfInstant = (instant) => new Date(instant).toISOString();

const refuse = (fault) => {
  tell(fault);
  tell('See: node listen.mjs --help');
  process.exit(2);
};

const addressIn = (text, name) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  return refuse(`${name} must be an http or https address.`);
};

const apiIn = (text) => {
  const url = addressIn(text, '--api');
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  // Otherwise the token would be sent unencrypted.
  return url.protocol === 'https:' || isHere ? url : refuse('--api must be an https address.');
};

/** Returns an instant, or how long before now, in milliseconds. */
const sinceIn = (text) => {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (unit) return { ago: Number(count) * UNITS[unit] };
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = Date.parse(text);
  if (isInstant && !Number.isNaN(instant)) return { instant };
  return refuse('--since must be an instant such as 2026-11-20T12:00:00Z, or 90s, 30m, 2h, 7d.');
};

const optionsIn = (words) => {
  const names = ['to', 'integration', 'since', 'events', 'tries', 'secret', 'api', 'check'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  try {
    const flags = { undelivered: { type: 'boolean' }, help: { type: 'boolean' } };
    return parseArgs({ args: words, options: { ...options, ...flags } }).values;
  } catch ({ code, message }) {
    // A word without an option is not repeated: it may be a secret.
    const isStray = code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    return refuse(isStray ? 'A word of the command belongs to no option.' : message);
  }
};

const SCHEMES = { service: 'X-Service-Signature', standard: 'webhook-signature' };

const secretIn = (secret) => {
  if (secret === '') refuse('WEBHOOK_SECRET must be the secret that your receiver verifies with.');
  if (/^whsec_(?![A-Za-z0-9+/]+=*$)/.test(secret))
    refuse('The webhook secret must be base64 after whsec_.');
  return secret;
};

const settingsIn = (words, environment) => {
  const values = optionsIn(words);
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const { SERVICE_TOKEN: token = '', WEBHOOK_SECRET = '' } = environment;
  const { secret = WEBHOOK_SECRET, tries = '120', check } = values;
  if (check !== undefined) {
    if (!Object.hasOwn(SCHEMES, check)) refuse('--check must be service or standard.');
    const receiver = addressIn(values.to ?? '', '--to');
    return { to: receiver, check, integration: 'check', secret: secretIn(secret) };
  }
  // The API shows an id as a path: its last part is enough, or all of it.
  const integration = values.integration?.split('/').at(-1) ?? '';
  const to = addressIn(values.to ?? '', '--to');
  if (!/^[\w-]{1,64}$/.test(integration)) refuse('--integration must be the id of a webhook.');
  if (!/^[1-9]\d{0,3}$|^10000$/.test(tries)) refuse('--tries must be a number from 1 to 10000.');
  if (!/^[\x21-\x7e]+$/.test(token)) refuse('SERVICE_TOKEN must be an access token.');
  secretIn(secret);
  const since = values.since === undefined ? undefined : sinceIn(values.since);
  const api = apiIn(values.api ?? API);
  const filter = values.undelivered ? { delivered: 'false' } : {};
  const types = values.events?.split(',');
  return { to, integration, since, filter, types, tries: Number(tries), token, secret, api };
};

const settings = settingsIn(process.argv.slice(2), process.env);
const { to, integration, token, secret, api } = settings;

/** `queue`: events that are not posted yet, oldest first. `newest`: when the newest one occurred. */
const progress = { received: 0, from: undefined, newest: undefined, queue: [] };

const nextInstant = () => {
  const { queue, newest, from } = progress;
  if (queue.length > 0) return queue[0].occurredAt;
  // An event may claim to be of the future.
  return newest === undefined ? from : Math.min(newest + 1, apiTime() + SECOND);
};

const stop = (code, why) => {
  if (why) tell(why);
  if (progress.from !== undefined) {
    const { received } = progress;
    const since = textOfInstant(nextInstant());
    print(`Received ${received} event${received === 1 ? '' : 's'}. Go on with --since ${since}`);
  }
  process.exit(code);
};

/** The clock of the API, by the latest answer: that of this machine may be wrong. */
let clockDifference = 0;
const apiTime = () => Date.now() + clockDifference;

let allowance = BURST;
let allowedAt = performance.now();
/** Resolves when the next request may be sent. */
const turn = async () => {
  const now = performance.now();
  const earned = ((now - allowedAt) / SECOND) * REQUESTS_PER_SECOND;
  allowance = Math.min(BURST, allowance + earned) - 1;
  allowedAt = now;
  if (allowance < 0) await sleep((-allowance / REQUESTS_PER_SECOND) * SECOND);
};

/** Resolves to the head of the answer. `body` is sent; rejects if there is no answer in time. */
const send = (url, { body, timeout, ...options }) =>
  new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, { ...options, signal: AbortSignal.timeout(timeout) });
    request
      .on('response', resolve)
      // After 101 there is neither a response nor an error.
      .on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response);
      })
      .on('error', reject)
      .on('close', () => reject(new Error('the connection was closed without an answer')))
      .end(body);
  });

const whyUnanswered = ({ code, message }) =>
  code === 'ABORT_ERR' ? 'no answer in time' : (code ?? message);

/** Rejects if the answer ends early, or is larger than any of the API. */
const textOf = async (response) => {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > LARGEST_API_ANSWER) throw new Error('its answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** One GET of the API: its document, or why there is none. Certificates are always checked. */
const get = async (url) => {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
  try {
    const response = await send(url, { headers, rejectUnauthorized: true, timeout: API_TIMEOUT });
    const { statusCode: status } = response;
    const { date, 'retry-after': retryAfter } = response.headers;
    const answer = await textOf(response);
    const pause = Math.min(Number(retryAfter) || 0, 3_600) * SECOND;
    if (status !== 200) return { status, why: `it answers ${status}`, pause };
    const document = JSON.parse(answer);
    if (!document?.['@type']) return { why: 'it answers with something else', pause };
    if (!Number.isNaN(Date.parse(date))) clockDifference = Date.parse(date) - Date.now();
    return { document };
  } catch (fault) {
    const isNotWhole = fault instanceof SyntaxError;
    return { why: isNotWhole ? 'its answer is not whole' : whyUnanswered(fault), pause: 0 };
  }
};

const REFUSED = {
  401: 'it does not know SERVICE_TOKEN, or the token was revoked or has expired.',
  403: 'the role of SERVICE_TOKEN does not allow this.',
  404: `the account of SERVICE_TOKEN has no webhook ${integration} at ${api?.href}.`,
};

/** Reads a document until the API answers; undefined with `mayLack` if there is none. */
const read = async (path, { query = {}, mayLack = false } = {}) => {
  const url = new URL(api.href.replace(/\/*$/, path));
  url.search = new URLSearchParams(query);
  for (let failures = 0; ; failures += 1) {
    await turn();
    const { document, status = 500, why, pause } = await get(url);
    if (document !== undefined) return document;
    if (status === 404 && mayLack) return undefined;
    if (status < 500 && status !== 408 && status !== 429) {
      stop(1, `The API refuses (${status}): ${REFUSED[status] ?? `is ${api.origin} its address?`}`);
    }
    const pauseMs = Math.max(pause, Math.min(SECOND * 2 ** failures, LONGEST_API_PAUSE));
    if (pauseMs > SECOND) tell(`No answer of the API: ${why}. Next try in ${pauseMs / SECOND} s.`);
    await sleep(pauseMs);
  }
};

/** When the event of each known delivery occurred, by the event's id. */
const known = new Map();

const isWanted = (type) => settings.types?.includes(type) ?? true;

/** The deliveries since an instant that are not known yet, oldest first. */
const unknownSince = async (since, until) => {
  const path = `/integrations/${integration}/deliveries`;
  const first = { ...settings.filter, limit: 100, since: textOfInstant(since) };
  if (until) first.until = textOfInstant(until);
  const found = new Map();
  let cursor;
  do {
    const { member, view } = await read(path, { query: cursor ? { ...first, cursor } : first });
    for (const { id, eventType: type, occurredAt } of member) {
      // An id of another form can be part of neither a path nor a header.
      const [, eventId] = /\/([\w-]{1,64})$/.exec(id) ?? [];
      const event = { id: eventId, type, occurredAt: Date.parse(occurredAt) };
      if (eventId && !known.has(eventId) && isWanted(type)) found.set(eventId, event);
    }
    // Only the cursor is used, so that the token goes nowhere but to the API.
    cursor = view?.next && new URL(view.next, api).searchParams.get('cursor');
  } while (cursor);
  return [...found.values()].reverse();
};

const hmac = (key, text) => createHmac('sha256', key).update(text);

const pathOf = (event) => `/integrations/${integration}/deliveries/${event.id}`;

/** The headers of the service: its own signature, and those of standardwebhooks.com. */
const headersOf = (event, body, { signer = secret, sentAt = Date.now() } = {}) => {
  const id = pathOf(event);
  const timestamp = String(Math.floor(sentAt / SECOND));
  const [, base64] = /^whsec_(.*)$/.exec(signer) ?? [];
  const standardKey = base64 ? Buffer.from(base64, 'base64') : signer;
  return {
    'Content-Type': 'application/json',
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    'User-Agent': `Service-Webhooks/${VERSION}`,
    'X-Service-Signature': hmac(signer, body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(standardKey, `${id}.${timestamp}.${body}`).digest('base64')}`,
  };
};

/** One POST to the local address, over a new connection. Resolves to the status. */
const post = async (headers, body) => {
  const response = await send(to, {
    method: 'POST',
    headers,
    body,
    agent: false,
    // Certificates of development are self-signed.
    rejectUnauthorized: false,
    timeout: ANSWER_TIMEOUT,
  });
  // The status is the answer, whatever becomes of the rest.
  let bytes = 0;
  response
    .on('error', () => {})
    .on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > LARGEST_ANSWER) response.destroy();
    });
  return response.statusCode;
};

/** The text that the service sends, unchanged; undefined if the API does not have it. */
const bodyOf = async ({ id }, reads = 1) => {
  const path = `/integrations/${integration}/deliveries/${id}`;
  const delivery = await read(path, { mayLack: true });
  if (delivery || reads === 3) return delivery?.body;
  // An event can be listed a moment before it can be read.
  await sleep(SECOND);
  return bodyOf({ id }, reads + 1);
};

const forward = async (event) => {
  const body = await bodyOf(event);
  const name = `${event.type}  ${event.id}`;
  if (body === undefined) return tell(`${name}  not posted: the API has no body of it`);
  for (let tries = 1; ; tries += 1) {
    const startedAt = performance.now();
    try {
      const status = await post(headersOf(event, body), body);
      const took = Math.round(performance.now() - startedAt);
      progress.received += 1;
      return print(`${name}  ${status} ${http.STATUS_CODES[status] ?? ''}  ${took} ms`);
    } catch (fault) {
      const why = `No answer at ${to.origin}${to.pathname} to ${event.id}: ${whyUnanswered(fault)}.`;
      if (tries === settings.tries) stop(1, `${why} That was try ${tries}, the last one.`);
      if (tries === 1) tell(`${why} Trying again; later events wait.`);
      await sleep(Math.min(SECOND * 2 ** (tries - 1), LONGEST_PAUSE));
    }
  }
};

const HELLO = '{"message":{"id":"msg_1","body":"Hello","direction":"in"}}';
const FAMILY = '{"message":{"id":"msg_1","body":"👩‍👩‍👧‍👦 שלום مرحبا","direction":"in"}}';
const NUMBERS = '{"numbers":[9007199254740993,0.10000000000000000001,1.0]}';

/** An event that no earlier check had, as the service would send it now. */
const signed = (data, options) => {
  const event = { id: `check_${randomBytes(8).toString('hex')}` };
  const body = `{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery","id":"${pathOf(event)}","webHook":"/integrations/${integration}","action":"message.received","timestamp":"${textOfInstant(Date.now())}","data":${data}}`;
  return { headers: headersOf(event, body, options), body };
};

/** Requests that a receiver must confirm (2xx) or refuse (4xx). */
const checksOf = (scheme) => {
  const name = SCHEMES[scheme];
  const changed = (change) => {
    const request = signed(HELLO);
    return { ...request, ...change(request) };
  };
  const withHeaders = (change) =>
    changed(({ headers }) => ({ headers: { ...headers, ...change(headers) } }));
  const withSignature = (change) => withHeaders(({ [name]: right }) => ({ [name]: change(right) }));
  const random = randomBytes(32).toString('base64');
  const event = signed(HELLO);
  const forBoth = [
    ['2xx', 'an event', event],
    ['2xx', 'the same event again', event],
    ['2xx', 'emoji and right-to-left text', signed(FAMILY)],
    ['2xx', 'numbers that a double does not hold', signed(NUMBERS)],
    ['4xx', 'another body', changed(({ body }) => ({ body: body.replace('Hello', 'Jello') }))],
    ['4xx', 'a line feed after the body', changed(({ body }) => ({ body: `${body}\n` }))],
    ['4xx', 'a signature by another secret', signed(HELLO, { signer: `whsec_${random}` })],
    ['4xx', 'a shorter signature', withSignature((right) => right.slice(0, -4))],
    ['4xx', 'an empty signature', withSignature(() => '')],
    ['4xx', 'no signature', withSignature(() => undefined)],
  ];
  if (scheme === 'service') return forBoth;
  const sentAt = (minutes) => signed(HELLO, { sentAt: Date.now() + minutes * MINUTE });
  return [
    ...forBoth,
    ['2xx', 'the second signature of a rotation', withSignature((it) => `v1,${random} ${it}`)],
    [
      '4xx',
      'another webhook-id',
      withHeaders(({ 'webhook-id': id }) => ({ 'webhook-id': `${id}2` })),
    ],
    ['4xx', 'a webhook-timestamp of ten minutes ago', sentAt(-10)],
    ['4xx', 'a webhook-timestamp in ten minutes', sentAt(10)],
  ];
};

/** Posts each request of the check, and ends the program. */
const checkReceiver = async (scheme) => {
  let wrong = 0;
  for (const [expected, what, { headers, body }] of checksOf(scheme)) {
    const present = Object.entries(headers).filter(([, value]) => value !== undefined);
    const answer = await post(Object.fromEntries(present), body).catch(whyUnanswered);
    const isRight = String(answer)[0] === expected[0];
    if (!isRight) wrong += 1;
    print(`${isRight ? 'right' : 'WRONG'}  expected ${expected}, answered ${answer}: ${what}`);
  }
  stop(wrong === 0 ? 0 : 1, wrong === 0 ? '' : `${wrong} of the answers are wrong.`);
};

if (settings.check) await checkReceiver(settings.check);

const { status, settings: set } = await read(`/integrations/${integration}`);
for (const type of settings.types ?? []) {
  const types = Object.keys(set.actions);
  if (!types.includes(type)) refuse(`--events: ${type} is not one of ${types.join(', ')}.`);
  if (!set.actions[type]) tell(`The webhook is not subscribed to ${type}.`);
}
const { instant, ago } = settings.since ?? {};
progress.from = instant ?? apiTime() - (ago ?? 0);
let from = progress.from;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));
if (settings.since === undefined) {
  from -= RECENT;
  for (const { id, occurredAt } of await unknownSince(from)) known.set(id, occurredAt);
}
print(`Posting the events of webhook ${integration} (${status}) to ${to.origin}${to.pathname}`);
if (status === 'inactive') tell('The webhook is inactive. It gets no events.');

/** Everything that occurred before is read, but for late events; and as of the latest late look. */
let readTo = from;
let lateReadTo = from;
let pause = SHORTEST_PAUSE;
let period = PERIOD;
for (let looks = 0; ; looks += 1) {
  const now = apiTime();
  const isLateLook = looks % LOOKS_UNTIL_LATE === 0 || now - readTo > RECENT;
  const since = Math.max(from, isLateLook ? lateReadTo - LATE : readTo - RECENT);
  const until = since + period < now ? since + period : undefined;
  const events = await unknownSince(since, until);
  const isFound = events.length > 0;
  progress.queue = events;
  for (let event = events[0]; event; event = events[0]) {
    await forward(event);
    known.set(event.id, event.occurredAt);
    progress.newest = Math.max(progress.newest ?? 0, event.occurredAt);
    events.shift();
  }
  readTo = until ?? now;
  if (isLateLook) lateReadTo = readTo;
  for (const [id, occurredAt] of known) if (occurredAt < lateReadTo - LATE) known.delete(id);
  period = isFound || until === undefined ? PERIOD : period * 2;
  pause = isFound ? SHORTEST_PAUSE : Math.min(pause * 1.5, LONGEST_PAUSE);
  if (until === undefined) await sleep(pause);
}
