// Runs the function on your machine, without AWS: makes events of a function URL, format 2.0, from
// HTTP requests. A server in this process stands for SQS and for the function that reads the queue.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer, json } from 'node:stream/consumers';

const { PORT = '3000', INBOX = 'inbox.jsonl' } = process.env;

const work = (text) => {
  const { id, action } = JSON.parse(text);
  // The function that reads your queue does this.
  console.log(`accepted ${id} ${action}`);
};

const queue = createServer(async (request, response) => {
  const { MessageBody } = await json(request);
  try {
    appendFileSync(INBOX, `${MessageBody}\n`);
  } catch (fault) {
    console.error(fault.message);
    return response.writeHead(500).end();
  }
  setImmediate(work, MessageBody);
  const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
  response.end(JSON.stringify({ MessageId: '1', MD5OfMessageBody }));
}).listen(0, '127.0.0.1');
await once(queue, 'listening');

const QUEUE_URL = `http://127.0.0.1:${queue.address().port}/queue`;
Object.assign(process.env, {
  QUEUE_URL,
  AWS_ENDPOINT_URL_SQS: QUEUE_URL,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const { handler } = await import('./index.mjs');

/** AWS passes on these types as text, and any other body as base64. */
const TEXT = /^(text\/|application\/(json|javascript|xml)\b)/;

const eventOf = ({ method, url, headers, httpVersion, socket }, body) => {
  const { pathname, search } = new URL(url, 'http://localhost');
  const isBase64Encoded = !TEXT.test(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers,
    requestContext: {
      http: {
        method,
        path: pathname,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: socket.remoteAddress,
        userAgent: headers['user-agent'],
      },
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  };
};

// An instance of a function handles one event at a time.
let previous = Promise.resolve();

createServer(async (request, response) => {
  const event = eventOf(request, await buffer(request));
  const handled = previous.then(() => handler(event));
  previous = handled.catch(() => {});
  const { statusCode, body } = await handled.catch((fault) => {
    console.error(fault);
    return { statusCode: 502 };
  });
  response.writeHead(statusCode).end(body);
}).listen(Number(PORT));
