import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { prepareCertificates } from '../../../local/certificates.ts';
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
  wishes: { patienceMs?: number; platform?: Promise<Platform> } = {},
): Promise<PlaygroundUnderTest> => {
  const directory = await mkdtemp(join(tmpdir(), 'playground-'));
  const certificates = await prepareCertificates(directory);
  const sent: PlatformEvent[] = [];
  const platform: Platform = { account: 'acme', sendEvent: async (event) => sent.push(event) };
  const playground = await startPlayground({
    port: 0,
    ...certificates,
    platform: Promise.resolve(platform),
    ...wishes,
  });
  const dispatcher = new Agent({ connect: { ca: certificates.caCertificate } });
  return {
    call: async (method, path, { body, headers = {} } = {}) => {
      const response = await fetch(playground.origin + path, {
        method,
        dispatcher,
        headers,
        ...(body !== undefined && { body }),
      });
      return { status: response.status, text: await response.text() };
    },
    sent,
    close: async () => {
      await dispatcher.destroy();
      await playground.close();
      await rm(directory, { recursive: true });
    },
  };
};
