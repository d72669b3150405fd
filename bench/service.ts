import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type SeededRun, startSeededRun } from '../local/seeded-run.ts';

export interface BenchedService {
  readonly run: SeededRun;
  /** When the first POST of an event arrived, by event id; epoch milliseconds with fractions. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Resolves when so many different events have arrived. */
  arrived(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const now = (): number => performance.timeOrigin + performance.now();

/** An embedded run with one webhook that confirms everything at once. */
export const startBenchedService = async (): Promise<BenchedService> => {
  const run = await startSeededRun({
    apiPort: 0,
    awsPort: 0,
    stateDirectory: '.local/bench',
    hourSeconds: 3_600,
    onFunctionFailure: (failure) => console.error('A function failed:', failure),
  });
  const arrivals = new Map<string, number>();
  let waiting: { count: number; resolve: () => void } | undefined;
  const { certFile, keyFile } = run.endpoints;
  const receiver = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    async (request, response) => {
      const arrivedAt = now();
      const { id } = JSON.parse(await text(request)) as { id: string };
      response.writeHead(204).end();
      const event = id.split('/').at(-1) ?? '';
      if (!arrivals.has(event)) arrivals.set(event, arrivedAt);
      if (waiting !== undefined && arrivals.size >= waiting.count) waiting.resolve();
    },
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await register(run, `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  return {
    run,
    arrivals,
    arrived: (count) =>
      new Promise((resolve) => {
        waiting = { count, resolve };
        if (arrivals.size >= count) resolve();
      }),
    stop: async () => {
      await run.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
};

const register = async ({ endpoints }: SeededRun, baseUrl: string): Promise<void> => {
  const response = await fetch(`${endpoints.api}/${endpoints.account}/integrations`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${endpoints.adminToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ active: true, provider: 'webhook', config: { baseUrl }, settings: {} }),
  });
  if (response.status !== 201) throw new Error(`Not registered: ${await response.text()}`);
};

export const eventNumbered = (number: number, account: string) => ({
  id: `evt_bench_${number}`,
  type: 'message.received' as const,
  account,
  occurredAt: new Date().toISOString(),
  data: { message: { id: `msg_${number}`, body: 'Hello', from: '+13035550100' } },
});

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
};
