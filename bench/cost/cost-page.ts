import { AS_OF, PRICES, REGION } from '../../lib/prices.ts';
import { AWS_CALLS_MS, ENDPOINT_MS, type Line, totalOf } from './dollars.ts';
import { METRICS_BILL } from './idle-stage.ts';
import { sum } from './item-size.ts';
import type { Measured, Scenario } from './measure.ts';

/** A measured scenario and its bill for a million events. */
export interface Priced {
  readonly measured: Measured;
  readonly perMillion: readonly Line[];
  /** Of statistics, off the way of an event. */
  readonly counting: { readonly dense: number; readonly sparse: number };
  readonly lambdaAsMeasured: number;
}

/** A body of 0.9 KB with its head, TLS and the answer's acknowledgement. */
const SENT_BYTES = 1_700;
const LINE_LENGTH = 120;
const VOLUMES = [1, 100, 1_000];

export const titleOf = ({ bodyBytes, isSingle, hasOpaqueIds }: Scenario): string =>
  `${isSingle ? 'batches of one' : 'full batches'}, ${(bodyBytes / 1_000).toFixed(1)} KB${hasOpaqueIds ? ', opaque ids' : ''}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const wrapped = (text: string): string =>
  text.split(/\s+/).reduce((lines, word) => {
    const line = lines.slice(lines.lastIndexOf('\n') + 1);
    return line.length + 1 + word.length > LINE_LENGTH ? `${lines}\n${word}` : `${lines} ${word}`;
  });

const dollars = (amount: number, digits = 2): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

const number = (value: number): string => String(Number(value.toFixed(2)));

export const billTable = (priced: readonly Priced[]): string => {
  const [first] = priced;
  const rows = (first?.perMillion ?? []).map(({ what }, index) => [
    what,
    ...priced.map(({ perMillion }) => dollars(perMillion[index]?.dollars ?? 0, 3)),
  ]);
  return table(
    ['a million events', ...priced.map(({ measured }) => titleOf(measured.scenario))],
    [
      ...rows,
      ['**together**', ...priced.map((one) => `**${dollars(totalOf(one.perMillion))}**`)],
      ['Lambda time on loopback', ...priced.map((one) => dollars(one.lambdaAsMeasured, 3))],
    ],
  );
};

/** Calls and units an event, of functions: what SQS bills for Lambda's pollers has its own rows. */
export const usageTable = ({ measured: { events, usages, scenario } }: Priced): string => {
  const each = (value: number) => number(value / events);
  const ofFunctions = usages.filter(({ by }) => isFunction(by));
  const total = (key: 'calls' | 'writeUnits' | 'readUnits' | 'sqsRequests') =>
    each(sum((key === 'calls' ? ofFunctions : usages).map((usage) => usage[key])));
  return table(
    [titleOf(scenario), 'calls', 'write units', 'read units', 'SQS requests'],
    [
      ...usages.map(({ by, action, calls, writeUnits, readUnits, sqsRequests }) => [
        `${by}: ${action}`,
        ...[calls, writeUnits, readUnits, sqsRequests].map(each),
      ]),
      [
        '**an event** (calls: of functions)',
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
    [titleOf(scenario), 'records a batch', 'CPU ms a batch', 'log bytes an event'],
    logs.map(({ name, invocations, bytes }) => [
      name,
      number(sum(invocations.map(({ records }) => records)) / invocations.length),
      number(sum(invocations.map(({ cpuMs }) => cpuMs)) / invocations.length),
      number(bytes / events),
    ]),
  );

/** What statistics take, apart from what an event takes on its way. */
export const countingTable = ({
  measured: { counting, events },
  counting: bill,
}: Priced): string => {
  const each = (key: 'calls' | 'writeUnits') =>
    number4(sum(counting.usages.map((usage) => usage[key])) / events);
  return table(
    ['statistics of a million attempts', 'calls an attempt', 'write units an attempt', 'together'],
    [
      ['one integration has them all', each('calls'), each('writeUnits'), dollars(bill.dense, 3)],
      [
        'each of another integration or hour than the rest of its batch',
        '1',
        '1',
        dollars(bill.sparse, 3),
      ],
    ],
  );
};

const number4 = (value: number): string => String(Number(value.toFixed(4)));

/** What stages without anything to do cost in a month. */
export interface IdleBills {
  readonly prod: readonly Line[];
  /** Of stage dev, without what a deployment may leave out. */
  readonly least: readonly Line[];
}

export const idleTable = ({ prod, least }: IdleBills): string =>
  table(
    ['each month', 'stage `prod`', 'stage `dev` with `-c webAcl=false -c alarms=false`'],
    [
      ...prod.flatMap(({ what, dollars: amount }, index) =>
        amount > 0 ? [[what, dollars(amount), dollars(least[index]?.dollars ?? 0)]] : [],
      ),
      ['**together**', dollars(totalOf(prod)), dollars(totalOf(least))],
    ],
  );

/** docs/operators/costs.md. */
export const costPage = (
  priced: readonly Priced[],
  { idle, memoryMb, date }: { idle: IdleBills; memoryMb: number; date: string },
): string => {
  const fixed = totalOf(idle.prod) + METRICS_BILL.dollars;
  const { sqs, lambda, dynamodb, cloudwatch, cognito, internet, waf, apiGateway, scheduler } =
    PRICES;
  const [typical] = priced;
  return `# Cost

${wrapped(`\`npm run bench:cost -- --write\` wrote this page on ${date}. The bench sends events through stage \`prod\` in
the embedded run, counts every call at the AWS endpoint, and multiplies by the list prices of
[lib/prices.ts](../../lib/prices.ts) (${REGION}, ${AS_OF}), without free tiers and discounts. An event has one subscribed
integration and is delivered at once. The size is that of the body that is sent. Ids of events tell their time, as the
platform makes them; opaque ids do not.`)}

## A million events

${billTable(priced)}

${wrapped(`"Lambda time" is the function's CPU time as measured, at ${memoryMb} MB, and waiting: ${AWS_CALLS_MS} ms for AWS in each
invocation, and ${ENDPOINT_MS} ms for the endpoint in each batch of deliveries. "Lambda time on loopback" is no part of the
sum: it is the time by the clock of the measuring machine, however busy, with an endpoint that answers at once.`)}

${wrapped(`SQS includes the platform's own calls. Not in the sums: traffic to the internet, ${dollars(internet.outGb)} a GB, which is about
${dollars((1e6 * SENT_BYTES * internet.outGb) / 2 ** 30)} a million with 0.9 KB; calls of the key; and whatever goes wrong, such as further attempts, pending
events and replays.`)}

## Statistics

${typical ? countingTable(typical) : ''}

${wrapped(`Statistics follow the delivery log, off the way of an event: none of the other tables has them
([0027](../adr/0027-statistics-follow-the-log.md)). The first row is measured, with changes gathered for 5 s; the second has
a write for each attempt, which a stage pays whose integrations have fewer than one attempt a minute in each of their eight
partitions.`)}

## A month

${table(
  ['events', ...priced.map(({ measured }) => titleOf(measured.scenario))],
  VOLUMES.map((millions) => [
    `${millions.toLocaleString('en-US')} million`,
    ...priced.map(({ perMillion }) => dollars(millions * totalOf(perMillion) + fixed, 0)),
  ]),
)}

The cost of an idle stage is included, and ${dollars(METRICS_BILL.dollars)} for the ${METRICS_BILL.what}.

## An idle stage

${idleTable(idle)}

${wrapped(`Metrics are billed for the hours in which they are written. The API: WAF ${dollars(1e6 * waf.request)} and the gateway
${dollars(1e6 * apiGateway.request)} a million requests. The hourly schedules:
${dollars(1e6 * scheduler.invocation, 0)} a million runs, and up to $1.20 for SQS. The web console: ${dollars(cognito.userMonth, 3)} for
each user who signs in in the month, and less than a cent for files that nobody loads.`)}

## Calls and units of an event

${priced.map(usageTable).join('\n\n')}

${typical ? functionTable(typical) : ''}

## Prices

${table(
  ['', 'list price'],
  [
    [
      'SQS, a million requests of 64 KB',
      `${dollars(1e6 * sqs.standardRequest)}, and ${dollars(1e6 * sqs.fairQueueRequest)} with message groups`,
    ],
    [
      'Lambda',
      `${dollars(1e6 * lambda.request)} a million requests, $${lambda.gbSecond} a GB-second`,
    ],
    [
      'DynamoDB, a million units',
      `${dollars(1e6 * dynamodb.writeUnit, 3)} written, ${dollars(1e6 * dynamodb.readUnit, 3)} read`,
    ],
    [
      'DynamoDB, a GB-month',
      `${dollars(dynamodb.storageGbMonth)}, and ${dollars(dynamodb.pointInTimeRecoveryGbMonth)} for point-in-time recovery`,
    ],
    [
      'CloudWatch Logs, a GB',
      `${dollars(cloudwatch.logsIngestedGb)} written, ${dollars(cloudwatch.logsStoredGbMonth)} a month stored, compressed`,
    ],
  ],
)}
`;
};
