import { statSync } from 'node:fs';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { dollars, table } from '../../tools/docs/markdown.ts';
import { PRICES } from '../cost/prices.ts';

/** The largest public document; a caller can refuse compression. */
const LARGEST = 'swagger-ui-bundle.js';

interface Flood {
  readonly of: string;
  /** The most calls a minute of one caller. */
  readonly caller: keyof StageSettings['throttling'];
  /** The most calls a second of all callers. */
  readonly all: keyof StageSettings['throttling'];
  /** The slowest call, as in the table of concurrency. */
  readonly seconds: number;
  readonly readUnits?: number;
  readonly bytes?: number;
}

/** What calls of one kind cost an hour in `prod`, as often as the limits allow. */
export const floodsTable = (capacity: string): string => {
  const prod = settingsFor('prod');
  if (prod === undefined) throw new Error('There is no stage prod.');
  return table(
    ['Calls', 'One caller', 'All callers'],
    floodsOf(capacity).map((flood) => {
      const call = costOf(flood, prod);
      const { [flood.caller]: aMinute, [flood.all]: aSecond } = prod.throttling;
      return [flood.of, dollars(60 * aMinute * call), dollars(3_600 * aSecond * call)];
    }),
  );
};

const floodsOf = (capacity: string): readonly Flood[] => [
  {
    ...{ of: `\`/docs/${LARGEST}\`, uncompressed`, seconds: 0.02 },
    ...{ caller: 'publicPerMinuteAndAddress', all: 'publicPerSecond' },
    bytes: statSync(`node_modules/swagger-ui-dist/${LARGEST}`).size,
  },
  {
    ...{ of: 'unknown tokens', seconds: 0.03, readUnits: 1 },
    ...{ caller: 'requestsPerMinuteAndAddress', all: 'requestsPerSecond' },
  },
  {
    ...{ of: 'the costliest read', seconds: 0.1, readUnits: costliestRead(capacity) },
    ...{ caller: 'requestsPerMinuteAndToken', all: 'requestsPerSecond' },
  },
  {
    ...{ of: 'saves that take 2.8 s', seconds: 2.8 },
    ...{ caller: 'costlyPerMinuteAndToken', all: 'changesPerSecond' },
  },
  {
    ...{ of: 'retries that take 25 s', seconds: 25 },
    ...{ caller: 'costlyPerMinuteAndAccount', all: 'costlyPerSecond' },
  },
];

/** Read units of the first of the costly calls. */
const costliestRead = (capacity: string): number => {
  const [, rows = ''] = capacity.split('## Costly calls');
  const units = /^\| `GET [^|]+ \| (\d+) \|/m.exec(rows)?.[1];
  if (units === undefined) throw new Error('The page has no costly calls.');
  return Number(units);
};

const costOf = ({ seconds, readUnits = 0, bytes = 0 }: Flood, { memoryMb }: StageSettings) =>
  PRICES.waf.request +
  PRICES.apiGateway.request +
  PRICES.lambda.request +
  (memoryMb.api / 1_024) * seconds * PRICES.lambda.gbSecond +
  readUnits * PRICES.dynamodb.readUnit +
  (bytes / 1e9) * PRICES.internet.outGb;
