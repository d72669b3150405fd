import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Headers as GivenHeaders } from './headers.ts';

export interface RawCall {
  readonly method: string;
  /** As it is to be sent, with its query. */
  readonly path: string;
  readonly token: string | undefined;
  readonly headers: GivenHeaders;
  readonly body: string | null;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One HTTP request as it is told, with none of what `fetch` mends or refuses. */
export const callRaw = (api: string, call: RawCall): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port, pathname } = new URL(api);
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const path = pathname.replace(/\/$/, '') + call.path;
    const request = send({ hostname, port, method: call.method, path, ...agentFor(protocol) });
    if (call.token !== undefined) request.setHeader('Authorization', `Bearer ${call.token}`);
    for (const [name, group] of Map.groupBy(call.headers, ([name]) => name)) {
      request.setHeader(
        name,
        group.map(([, value]) => value),
      );
    }
    // Node.js says so by itself only for the methods that usually have a body.
    if (call.body !== null) request.setHeader('Content-Length', Buffer.byteLength(call.body));
    request.on('error', reject);
    request.on('response', (response) => {
      const headers = new Headers();
      for (const [name, value = ''] of Object.entries(response.headers)) {
        headers.set(name, [value].flat().join(', '));
      }
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers, text: body }),
        reject,
      );
    });
    request.end(call.body ?? undefined);
  });

const connections = new Agent({ keepAlive: true });

const agentFor = (protocol: string) => (protocol === 'http:' ? { agent: connections } : {});
