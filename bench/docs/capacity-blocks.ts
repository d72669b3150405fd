import { settingsFor } from '../../lib/stages.ts';
import { blockIn, rowsBeginningWith, table } from '../../tools/docs/markdown.ts';
import { AWS_CALLS_MS, PROCESSOR_MB } from '../cost/dollars.ts';
import type { Blocks } from './cost-blocks.ts';
import { openPagesTable } from './open-pages.ts';

/** Events a second. */
export const RATES = [100, 1_000, 10_000];
const FULL_BATCH = 10;

/** The blocks of docs/operators/capacity.md; `costs` is the page with the measured figures. */
export const capacityBlocks = (costs: string): Blocks => ({
  concurrency: concurrencyTable(costs),
  'open-pages': openPagesTable(),
});

export interface Load {
  readonly eventsPerSecond: number;
  readonly batchSize: number;
  readonly cpuMsOfFullBatch: number;
  readonly memoryMb: number;
  readonly endpointMs: number;
}

/** Executions at once are rate ÷ batch × time; memory decides the share of a processor. */
export const concurrencyFor = (load: Load): number => {
  const cpuMs = (load.cpuMsOfFullBatch * load.batchSize) / FULL_BATCH;
  const batchMs = cpuMs * (PROCESSOR_MB / load.memoryMb) + AWS_CALLS_MS + load.endpointMs;
  return Math.ceil(((load.eventsPerSecond / load.batchSize) * batchMs) / 1_000);
};

const CASES = [
  { name: 'route-event', batchSize: FULL_BATCH, endpointMs: 0 },
  { name: 'route-event', batchSize: 1, endpointMs: 0 },
  { name: 'deliver-webhook', batchSize: FULL_BATCH, endpointMs: 100 },
  { name: 'deliver-webhook', batchSize: 1, endpointMs: 100 },
  { name: 'deliver-webhook', batchSize: FULL_BATCH, endpointMs: 1_000 },
];

const concurrencyTable = (costs: string): string => {
  const prod = settingsFor('prod');
  if (prod === undefined) throw new Error('There is no stage prod.');
  const { memoryMb, maximumConcurrency } = prod;
  const measured = blockIn(costs, 'bench:cost calls');
  return table(
    ['Concurrent executions', '`prod` has', ...RATES.map((rate) => `${whole(rate)} a second`)],
    CASES.map(({ name, batchSize, endpointMs }) => {
      const [[, , cpuMs] = []] = rowsBeginningWith(measured, name);
      const load = { batchSize, endpointMs, cpuMsOfFullBatch: Number(cpuMs) };
      return [
        `\`${name}\`, batches of ${batchSize}${endpointMs > 0 ? `, endpoints of ${whole(endpointMs)} ms` : ''}`,
        whole(name === 'route-event' ? maximumConcurrency.routing : maximumConcurrency.delivery),
        ...RATES.map((eventsPerSecond) =>
          whole(concurrencyFor({ ...load, eventsPerSecond, memoryMb: memoryMb.queue })),
        ),
      ];
    }),
  );
};

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
