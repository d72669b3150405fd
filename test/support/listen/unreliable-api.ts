import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** Uses the response, or leaves it to the API. */
export type Fault = (
  response: ServerResponse,
  answer: () => Promise<Answer>,
) => void | Promise<void>;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export const dropConnection: Fault = (response) => void response.socket?.destroy();

export const refuseWith =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Half of the body, of which the head announces the whole length. */
export const cutOff: Fault = async (response, answer) => {
  const { status, headers, body } = await answer();
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
};

/** Half of the body, whose end looks like the end of an answer. */
export const endEarly: Fault = async (response, answer) => {
  const { status, headers, body } = await answer();
  response.writeHead(status, headers).end(body.subarray(0, body.length / 2));
};

/** Another type of the events that the answer lists. */
export const eventsOfType =
  (type: string): Fault =>
  async (response, answer) => {
    const { status, headers, body } = await answer();
    const written = `"eventType":${JSON.stringify(type)}`;
    response
      .writeHead(status, headers)
      .end(body.toString().replaceAll(/"eventType":"[^"]*"/g, () => written));
  };

/** Another id of the deliveries that the answer lists. */
export const eventsWithId =
  (id: string): Fault =>
  async (response, answer) => {
    const { status, headers, body } = await answer();
    const written = `/deliveries/${JSON.stringify(id).slice(1)}`;
    response
      .writeHead(status, headers)
      .end(body.toString().replaceAll(/\/deliveries\/[^"]*"/g, () => written));
  };

/** An answer that has no end, until the program closes the connection. */
export const flood: Fault = (response) => {
  const chunk = Buffer.alloc(1_048_576, ' ');
  const write = (): void => void response.write(chunk, (fault) => !fault && setImmediate(write));
  response.writeHead(200, { 'content-type': 'application/json' });
  write();
};

/** A page of something between the program and the API. */
export const anotherPage: Fault = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');

/** Stands before an API, and does to each request what the test chooses for it. */
export const startUnreliableApi = async (
  api: string,
  faultOf: (path: string, number: number) => Fault | undefined,
) => {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** Added to the clock that the answers show. */
  let aheadMs = 0;
  const answerTo = async ({ url = '', headers }: IncomingMessage): Promise<Answer> => {
    const { authorization = '', accept = '' } = headers;
    const answer = await fetch(api + url, {
      headers: { Authorization: authorization, Accept: accept },
    });
    const type = answer.headers.get('content-type') ?? '';
    const date = new Date(Date.now() + aheadMs).toUTCString();
    const body = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: { 'content-type': type, date }, body };
  };
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    const fault = faultOf(request.url ?? '', requests.length);
    if (fault !== undefined) return fault(response, () => answerTo(request));
    const { status, headers, body } = await answerTo(request);
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setClockAhead: (ms: number) => {
      aheadMs = ms;
    },
  };
};
