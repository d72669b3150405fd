import { readFileSync } from 'node:fs';
import { capacityFor } from '../../lib/constructs/table-capacity.ts';
import { BUSY_TABLES } from '../../lib/state-stack.ts';
import {
  SynthesisedStage,
  synthesise,
  synthesiseWithLinks,
  synthesiseWithMail,
} from '../../test/infra/template.ts';
import { blockIn, dollars, rowsBeginningWith, table } from '../../tools/docs/markdown.ts';
import {
  idleBill,
  type Line,
  METRICS_COST,
  rotationsBill,
  SECONDS_OF_MONTH,
  totalOf,
} from '../cost/dollars.ts';
import { PRICES } from '../cost/prices.ts';
import { openPagesDollars } from './open-pages.ts';

const MILLION = 1e6;

export type Blocks = Readonly<Record<string, string>>;

/** The blocks of docs/operators/costs.md that follow from templates, prices and measurements. */
export const costBlocks = (page: string): Blocks => {
  const [prod, dev] = [synthesise('prod'), synthesise('dev')];
  const smallest = new SynthesisedStage('dev', { webAcl: 'false', alarms: 'false' });
  return {
    month: monthTable(page, totalOf(idleBillOf(prod)) + METRICS_COST - CANARY_METRICS_COST),
    'idle-stage': idleTable([prod, dev, smallest]),
    savings: savingsTable(),
    'sign-ins': `A user pool costs $${PRICES.cognito.userMonth} a month for each user who signs in, and nothing else.`,
    mail: mailSentence(idleBillOf(prod), idleBillOf(synthesiseWithMail('prod'))),
    links: `With \`consoleLinkRoles\`, ${dollars(totalOf(idleBillOf(synthesiseWithLinks('prod'))) - totalOf(idleBillOf(prod)))} a month more: a rule of the web ACL.`,
    'open-pages': openPagesDollars(Number(prod.at('ReadApi/Function').MemorySize)),
  };
};

/** Dollars for a million events, for each scenario that the bench measured. */
const measuredCosts = (page: string): readonly { scenario: string; dollars: number }[] => {
  const block = blockIn(page, 'bench:cost million-events');
  const [[, ...scenarios] = []] = rowsBeginningWith(block, 'A million events');
  const [[, ...totals] = []] = rowsBeginningWith(block, '**Total**');
  return scenarios.map((scenario, index) => ({
    scenario,
    dollars: Number(totals[index]?.replaceAll(/[^\d.]/g, '')),
  }));
};

/** What docs/alternatives.md quotes from sections of the page. */
export const quotedCosts = (page: string): Readonly<Record<string, string>> => {
  const [full, single] = ['Dense, 0.9 KB', 'Mixed, batches of one, 0.9 KB'].map((wanted) =>
    dollars(measuredCosts(page).find(({ scenario }) => scenario === wanted)?.dollars ?? Number.NaN),
  );
  const [, , most, least] = rowsBeginningWith(blockIn(page, 'docs:costs month'), '40')[0] ?? [];
  const [, idle = ''] =
    rowsBeginningWith(blockIn(page, 'docs:costs idle-stage'), '**Total**')[0] ?? [];
  return {
    'a-million-events': `${full} to ${single}`,
    'a-month': `${least} to ${most}`,
    'an-idle-stage': idle.replaceAll('*', ''),
  };
};

export const idleBillOf = (stage: SynthesisedStage): readonly Line[] => [
  ...idleBill(resourcesOf(stage)),
  { what: 'Canary', dollars: canaryDollars(stage) },
];

const resourcesOf = (stage: SynthesisedStage) =>
  stage
    .all()
    .map(({ logicalId, type, properties }) => ({ logicalId, Type: type, Properties: properties }));

/** `CanaryLatency`, and two that an idle stage would not write: `DeliveriesDelivered`, `IntegrationsConfirming`. */
const CANARY_METRICS_COST = 3 * PRICES.cloudwatch.metricMonth;

const CANARY_PERIOD_S = 300;
/** Of each of its two functions, whose sandboxes live for longer than the period. */
const CANARY_FUNCTION_S = 0.1;

/** Its alarm is among the alarms. */
const canaryDollars = (stage: SynthesisedStage): number => {
  if (stage.all('AWS::Scheduler::Schedule').length === 0) return 0;
  const { apiGateway, lambda, scheduler, waf } = PRICES;
  const delivered = measuredCosts(readFileSync('docs/operators/costs.md', 'utf8')).find(
    ({ scenario }) => scenario === 'Mixed, batches of one, 0.9 KB',
  );
  const memoryGb = Number(stage.at('SendCanary/Function').MemorySize) / 1_024;
  const ofFunction = lambda.request + CANARY_FUNCTION_S * memoryGb * lambda.gbSecond;
  const ofEvent =
    scheduler.invocation +
    apiGateway.request +
    waf.request +
    2 * ofFunction +
    (delivered?.dollars ?? Number.NaN) / MILLION;
  return (SECONDS_OF_MONTH / CANARY_PERIOD_S) * ofEvent + CANARY_METRICS_COST;
};

const RATES = [1, 10, 40, 400];
const WINDOW_SECONDS = 1;
/** Those of Lambda for a standard queue, each of which gathers a batch of its own. */
const POLLERS = 5;
const FULL_BATCH = 10;

/** Dollars for a million events in batches of a size: a part of the cost is for each batch. */
const costOfBatches = (page: string, size: number): number => {
  const [full, single] = ['Mixed, 0.9 KB', 'Mixed, batches of one, 0.9 KB'].map((wanted) =>
    Number(measuredCosts(page).find(({ scenario }) => scenario === wanted)?.dollars),
  ) as [number, number];
  const ofBatch = (single - full) / (1 - 1 / FULL_BATCH);
  return single - ofBatch * (1 - 1 / size);
};

/** Without a window each event of these rates may be alone in its batch. */
const monthTable = (page: string, fixed: number): string =>
  table(
    ['Events a second', 'Events a month', 'No window', '`batchingWindow=1`', 'Events a batch then'],
    RATES.map((rate) => {
      const millions = (rate * SECONDS_OF_MONTH) / MILLION;
      const size = Math.min(FULL_BATCH, 1 + (rate * WINDOW_SECONDS) / POLLERS);
      return [
        String(rate),
        `${millions.toLocaleString('en-US', { maximumFractionDigits: 1 })} million`,
        ...[1, size].map((each) => dollars(millions * costOfBatches(page, each) + fixed, 0)),
        size.toFixed(1),
      ];
    }),
  );

/** Auto scaling watches each capacity of each table with four alarms. */
const SCALING_ALARMS = 4;

/** Dollars of a month for the busy tables, with capacity for a rate, and without. */
const capacityDollars = (rate: number) => {
  const { dynamodb, cloudwatch } = PRICES;
  const hours = SECONDS_OF_MONTH / 3_600;
  const units = Object.values(BUSY_TABLES).flatMap(({ reads, writes }) => [
    { ...reads, hour: dynamodb.readUnitHour, request: dynamodb.readUnit },
    { ...writes, hour: dynamodb.writeUnitHour, request: dynamodb.writeUnit },
  ]);
  const sum = (costs: readonly number[]) => costs.reduce((total, each) => total + each, 0);
  return {
    provisioned: sum(
      units.map(
        (each) =>
          capacityFor(each, rate) * each.hour * hours +
          SCALING_ALARMS * cloudwatch.alarmMetricMonth,
      ),
    ),
    onDemand: sum(units.map((each) => each.anEvent * rate * SECONDS_OF_MONTH * each.request)),
  };
};

const savingsTable = (): string =>
  table(
    ['Events a second', '`provisioned=<the rate>`'],
    RATES.map((rate) => {
      const { provisioned, onDemand } = capacityDollars(rate);
      const saved = Math.round(onDemand - provisioned);
      return [String(rate), saved > 0 ? dollars(saved, 0) : `costs ${dollars(-saved, 0)}`];
    }),
  );

const idleTable = (stages: readonly SynthesisedStage[]): string => {
  const bills = stages.map(idleBillOf);
  const [prod = []] = bills;
  return table(
    ['A month', '`prod`', '`dev`', '`dev` without web ACL and alarms'],
    [
      ...prod.map(({ what }, index) => [
        what,
        ...bills.map((bill) => dollars(bill[index]?.dollars ?? Number.NaN)),
      ]),
      ['**Total**', ...bills.map((bill) => `**${dollars(totalOf(bill))}**`)],
      [
        'Total after two rotations of keys',
        ...stages.map((stage) =>
          dollars(totalOf(idleBillOf(stage)) + rotationsBill(resourcesOf(stage))),
        ),
      ],
    ],
  );
};

/** What an idle stage that sends e-mails costs more. */
const mailSentence = (without: readonly Line[], withMail: readonly Line[]): string =>
  `With \`mailFrom\`, ${dollars(totalOf(withMail) - totalOf(without))} a month more: alarms, and empty receives of a queue.`;
