import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ReceivedRequest } from '../receiver/received-requests.ts';
import { answer, type Behaviour } from '../receiver/receiver-behaviours.ts';

export type Route = '/hooks' | '/standard-hooks';

export interface Post extends Pick<ReceivedRequest, 'body' | 'path'> {
  /** Name and value as they are sent. */
  readonly headers: ReceivedRequest['rawHeaders'];
}

/** Posts to a port of this machine, over a connection of its own. */
export const post = async (
  port: number,
  { path, headers, body }: Post,
): Promise<{ status: number; text: string }> => {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent: false,
    headers: headers.flat(),
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
};

/** Posts bytes that nobody signed, and leaves the body open unless it `ends`. Resolves to the status. */
export const postUnsigned = async (
  port: number,
  { path, headers, body, ends }: Post & { readonly ends: boolean },
): Promise<number> => {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method: 'POST', agent: false },
    headers: ['Host', `127.0.0.1:${port}`, ...headers.flat()],
  });
  if (ends) sent.end(body);
  else sent.write(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => undefined).destroy();
  return response.statusCode ?? 0;
};

/** Passes requests on to the receiver at a port, with all their headers and bytes. */
export const passOn =
  (port: number, route: Route): Behaviour =>
  async (connection, received) => {
    const passed = { path: route, headers: received.rawHeaders, body: received.body };
    const { status, text: body } = await post(port, passed).catch((fault) => ({
      status: 502,
      text: `The receiver does not answer: ${fault.message}`,
    }));
    answer(status, { body })(connection, received);
  };

/** The request with other values of some headers, and without those that are undefined. */
export const withHeaders = (
  sent: Post,
  changes: Readonly<Record<string, string | undefined>>,
): Post => ({
  ...sent,
  headers: sent.headers.flatMap(([name, value]) => {
    if (!(name.toLowerCase() in changes)) return [[name, value] as const];
    const changed = changes[name.toLowerCase()];
    return changed === undefined ? [] : [[name, changed] as const];
  }),
});

export const headerIn = ({ headers }: Post, name: string): string =>
  headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? '';

/** The request signed as at an instant, by the documents alone: with nothing of the service. */
export const signedAgain = (
  sent: Post,
  { secret, at = new Date(), body = sent.body }: { secret: string; at?: Date; body?: Buffer },
): Post => {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const standard = createHmac('sha256', key)
    .update(`${headerIn(sent, 'webhook-id')}.${seconds}.`)
    .update(body);
  const changes = {
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard.digest('base64')}`,
    'content-length': String(body.length),
  };
  return withHeaders({ ...sent, body }, changes);
};
