import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { prepareCertificates } from 'local-aws/certificates.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { type Platform, startPlayground } from '../../../local/demo/playground.ts';

interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface PlaygroundUnderTest {
  /** Over HTTPS, trusting the run's authority alone. */
  call(method: string, path: string, request?: CallOptions): Promise<Reply>;
  /** What it put on the events queue. */
  readonly sent: readonly PlatformEvent[];
  close(): Promise<void>;
}

interface CallOptions {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export const startPlaygroundUnderTest = async (
  overrides: { patienceMs?: number; platform?: Promise<Platform> } = {},
): Promise<PlaygroundUnderTest> => {
  const directory = await mkdtemp(join(tmpdir(), 'playground-'));
  const certificates = await prepareCertificates(directory);
  const sent: PlatformEvent[] = [];
  const platform: Platform = {
    account: 'acme',
    sendEvent: async (event) => sent.push(event),
    notices: { published: [], mailed: [] },
  };
  const playground = await startPlayground({
    port: 0,
    ...certificates,
    platform: Promise.resolve(platform),
    ...overrides,
  });
  const agent = new Agent({ ca: certificates.caCertificate });
  const answerTo = ({
    method,
    path,
    body,
    headers,
  }: CallOptions & { method: string; path: string }) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      // Node would take the name to verify from the Host header.
      const options = { method, agent, headers, servername: 'localhost' };
      request(playground.origin + path, options, resolve)
        .on('error', reject)
        .end(body);
    });
  return {
    call: async (method, path, options = {}) => {
      const answer = await answerTo({ method, path, ...options });
      return { status: Number(answer.statusCode), text: await text(answer) };
    },
    sent,
    close: async () => {
      agent.destroy();
      await playground.close();
      await rm(directory, { recursive: true });
    },
  };
};
