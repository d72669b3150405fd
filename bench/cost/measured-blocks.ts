import { dollars, table } from '../../tools/docs/markdown.ts';
import { AWS_CALLS_MS, ENDPOINT_MS, type Line, totalOf } from './dollars.ts';
import { sum } from './item-size.ts';
import type { Measured, Scenario } from './measure.ts';

/** A measured scenario and its bill for a million events. */
export interface Priced {
  readonly measured: Measured;
  readonly perMillion: readonly Line[];
}

export const titleOf = ({
  population,
  bodyBytes,
  isSingle,
  hasOpaqueIds,
  headers,
  isFiltered,
}: Scenario): string =>
  [
    `${population[0]?.toUpperCase()}${population.slice(1)}`,
    ...(isFiltered ? ['kept back by a filter'] : []),
    ...(isSingle ? ['batches of one'] : []),
    `${(bodyBytes / 1_000).toFixed(1)} KB`,
    ...(hasOpaqueIds ? ['opaque ids'] : []),
    ...(headers ? [`${headers} headers`] : []),
  ].join(', ');

/** The body of a typical event. */
export const TYPICAL_BYTES = 900;

const isTypical = ({ bodyBytes, hasOpaqueIds, headers }: Scenario): boolean =>
  bodyBytes === TYPICAL_BYTES && !(hasOpaqueIds || headers);

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
      billTable(priced.filter(({ measured: { scenario } }) => isTypical(scenario))),
      `Lambda time is the measured CPU time, ${AWS_CALLS_MS} ms of waiting for AWS in each invocation, and ${ENDPOINT_MS} ms of waiting for\nthe endpoints in each batch of deliveries.`,
    ].join('\n\n'),
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

/** What the function that reads the log's stream writes, for full batches of each population. */
export const countingTable = (priced: readonly Priced[]): string => {
  const rows = priced.filter(
    ({ measured: { scenario } }) =>
      isTypical(scenario) && !scenario.isSingle && !scenario.isFiltered,
  );
  return table(
    ['Write units a delivery', 'Statistics', 'Index of the search', 'Deliveries a batch'],
    rows.map(({ measured: { scenario, counting, indexing, events } }) => {
      const each = ({ usages }: Pick<Measured, 'usages'>) =>
        number4(sum(usages.map(({ writeUnits }) => writeUnits)) / events);
      const batches = sum(counting.logs.map((log) => log.invocations.length));
      return [
        scenario.population,
        each(counting),
        each(indexing),
        String(Math.round(events / batches)),
      ];
    }),
  );
};

/** Deliveries to a healthy endpoint write nothing to table Integrations. */
export const announcingText = ({ measured: { announcing, events } }: Priced): string => {
  const invocations = sum(announcing.logs.map((log) => log.invocations.length));
  const perMillion = Math.round((invocations * 1e6) / events);
  return `A million deliveries to a healthy endpoint invoke \`announce-changes\` ${perMillion.toLocaleString('en-US')} times.`;
};

const number4 = (value: number): string => String(Number(value.toFixed(4)));
