import { dollars, table } from '../../test/docs/markdown.ts';
import { AWS_CALLS_MS, ENDPOINT_MS, type Line, totalOf } from './dollars.ts';
import { sum } from './item-size.ts';
import type { Measured, Scenario } from './measure.ts';

/** A measured scenario and its bill for a million events. */
export interface Priced {
  readonly measured: Measured;
  readonly perMillion: readonly Line[];
  /** Of statistics, which are counted apart from the deliveries. */
  readonly counting: { readonly dense: number; readonly sparse: number };
  /** Of the index of deliveries. */
  readonly indexing: number;
}

export const titleOf = ({ bodyBytes, isSingle, hasOpaqueIds }: Scenario): string =>
  `${isSingle ? 'Batches of one' : 'Full batches'}, ${(bodyBytes / 1_000).toFixed(1)} KB${hasOpaqueIds ? ', opaque ids' : ''}`;

const number = (value: number): string => String(Number(value.toFixed(2)));

/** The blocks of docs/operators/costs.md that the bench measures. The first scenario is typical. */
export const measuredBlocks = (
  priced: readonly [Priced, ...Priced[]],
  { memoryMb, date }: { memoryMb: number; date: string },
): Readonly<Record<string, string>> => {
  const [typical] = priced;
  return {
    'million-events': [
      `Measured on ${date}, for functions of ${memoryMb} MB:`,
      billTable(priced),
      `Lambda time is the measured CPU time, ${AWS_CALLS_MS} ms of waiting for AWS in each invocation, and ${ENDPOINT_MS} ms of waiting for\nthe endpoints in each batch of deliveries.`,
    ].join('\n\n'),
    statistics: countingTable(typical),
    search: indexingTable(typical),
    changes: announcingText(typical),
    calls: [usageTable(typical), functionTable(typical)].join('\n\n'),
  };
};

export const billTable = (priced: readonly Priced[]): string => {
  const lines = priced[0]?.perMillion ?? [];
  return table(
    ['A million events', ...priced.map(({ measured }) => titleOf(measured.scenario))],
    [
      ...lines.map(({ what }, index) => [
        what,
        ...priced.map(({ perMillion }) => dollars(perMillion[index]?.dollars ?? 0, 3)),
      ]),
      ['**Total**', ...priced.map((one) => `**${dollars(totalOf(one.perMillion))}**`)],
    ],
  );
};

/** Calls and units an event. The calls of Lambda's pollers have rows of their own. */
export const usageTable = ({ measured: { events, usages, scenario } }: Priced): string => {
  const each = (value: number) => number(value / events);
  const ofFunctions = usages.filter(({ by }) => isFunction(by));
  const total = (key: 'calls' | 'writeUnits' | 'readUnits' | 'sqsRequests') =>
    each(sum((key === 'calls' ? ofFunctions : usages).map((usage) => usage[key])));
  return table(
    [titleOf(scenario), 'Calls', 'Write units', 'Read units', 'SQS requests'],
    [
      ...usages.map(({ by, action, calls, writeUnits, readUnits, sqsRequests }) => [
        `${by}: ${action}`,
        ...[calls, writeUnits, readUnits, sqsRequests].map(each),
      ]),
      [
        '**Total** (calls: of functions)',
        total('calls'),
        total('writeUnits'),
        total('readUnits'),
        total('sqsRequests'),
      ],
    ],
  );
};

const isFunction = (by: string): boolean => by !== 'platform' && !by.startsWith('source of');

export const functionTable = ({ measured: { events, logs, scenario } }: Priced): string =>
  table(
    [titleOf(scenario), 'Records a batch', 'CPU ms a batch', 'Log bytes an event'],
    logs.map(({ name, invocations, bytes }) => [
      name,
      number(sum(invocations.map(({ records }) => records)) / invocations.length),
      number(sum(invocations.map(({ cpuMs }) => cpuMs)) / invocations.length),
      number(bytes / events),
    ]),
  );

export const countingTable = ({
  measured: { counting, events },
  counting: bill,
}: Priced): string => {
  const each = (key: 'calls' | 'writeUnits') =>
    number4(sum(counting.usages.map((usage) => usage[key])) / events);
  return table(
    ['A million attempts', 'Calls an attempt', 'Write units an attempt', 'Cost'],
    [
      ['all of one integration', each('calls'), each('writeUnits'), dollars(bill.dense, 3)],
      ['each of another integration or hour', '1', '1', dollars(bill.sparse, 3)],
    ],
  );
};

export const indexingTable = ({ measured, indexing: bill }: Priced): string => {
  const { counting, events, indexing } = measured;
  const batches = sum(counting.logs.map((log) => log.invocations.length));
  const units = sum(indexing.usages.map(({ writeUnits }) => writeUnits));
  return table(
    ['A million deliveries', 'Write units a delivery', 'Bytes kept a delivery', 'Cost'],
    [
      [
        `batches of ${Math.round(events / batches)}, measured`,
        number4(units / events),
        String(Math.round(indexing.stored.bytes / events)),
        dollars(bill, 3),
      ],
    ],
  );
};

/** Deliveries to a healthy endpoint write nothing to table Integrations. */
export const announcingText = ({ measured: { announcing, events } }: Priced): string => {
  const invocations = sum(announcing.logs.map((log) => log.invocations.length));
  const perMillion = Math.round((invocations * 1e6) / events);
  return `A million deliveries to a healthy endpoint invoke \`announce-changes\` ${perMillion.toLocaleString('en-US')} times.`;
};

const number4 = (value: number): string => String(Number(value.toFixed(4)));
