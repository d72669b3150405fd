/**
 * What events cost on AWS: sends events through stage `prod` in an embedded run, counts the calls of
 * functions, platform and event sources at the AWS endpoint in the units that AWS bills, and
 * multiplies by the list prices of bench/cost/prices.ts.
 *
 *     npm run bench -- cost [--write]
 *
 * `--write` writes the figures to docs/operators/costs.md, and those that follow from them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClientConfig } from '../local/endpoints-file.ts';
import { dollars, replaceBlock } from '../tools/docs/markdown.ts';
import { keepRecord } from '../tools/proof/records.ts';
import { startChild } from './child.ts';
import { AwsMeter } from './cost/aws-meter.ts';
import { billOf, factsOf, SECONDS_OF_MONTH, totalOf } from './cost/dollars.ts';
import { sum } from './cost/item-size.ts';
import { type Measured, measure, type Scenario } from './cost/measure.ts';
import {
  announcingText,
  billTable,
  countingTable,
  functionTable,
  measuredBlocks,
  type Priced,
  TYPICAL_BYTES,
  titleOf,
  usageTable,
} from './cost/measured-blocks.ts';
import { assembleMetered, METERED_DIRECTORY } from './cost/metered-stage.ts';
import { RATES } from './docs/capacity-blocks.ts';
import { writeCosts } from './docs/write-costs.ts';
import { startBenchedService } from './service.ts';
import { readResources } from './stage-assembly.ts';

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const SCENARIOS: readonly [Scenario, ...Scenario[]] = [
  { population: 'mixed', bodyBytes: TYPICAL_BYTES },
  { population: 'mixed', bodyBytes: 2_000 },
  { population: 'dense', bodyBytes: TYPICAL_BYTES },
  { population: 'sparse', bodyBytes: TYPICAL_BYTES },
  { population: 'mixed', bodyBytes: TYPICAL_BYTES, isSingle: true },
  { population: 'mixed', bodyBytes: TYPICAL_BYTES, isFiltered: true },
  { population: 'mixed', bodyBytes: TYPICAL_BYTES, hasOpaqueIds: true },
  { population: 'mixed', bodyBytes: TYPICAL_BYTES, headers: 5 },
];
const FULL_FROM = 9.5;
const TRIES = 4;

const meter = new AwsMeter();
const service = await startBenchedService({
  interceptAws: meter.intercept,
  stateDirectory: METERED_DIRECTORY,
  assemble: assembleMetered,
});
const resources = await readResources(join(METERED_DIRECTORY, 'cdk.out'));
const facts = factsOf(resources);
const { certFile, keyFile } = service.run.endpoints;
const RECEIVER = new URL('./function/receiver-process.ts', import.meta.url);
const receiver = await startChild<{ url: string }, object, { posts: number }>(RECEIVER, {
  settings: { certFile, keyFile },
});
const client = new DynamoDBClient(awsClientConfig(service.run.endpoints));
const bench = { service, receiver, meter, client };

/** The reason why a measurement is not of its scenario; undefined when it is. */
const faultOf = ({ scenario, logs, usages }: Measured): string | undefined => {
  const uncounted = logs.find(({ name }) => !usages.some(({ by }) => by === name));
  if (uncounted) return `no call of ${uncounted.name} was counted`;
  for (const { name, invocations } of logs) {
    const records = sum(invocations.map((one) => one.records)) / invocations.length;
    if (scenario.isSingle ? records > 1 : records < FULL_FROM) {
      return `${name} had ${records.toFixed(1)} records a batch`;
    }
  }
  const isSlow = logs.some(({ name }) => name === 'deliver-slowly');
  return isSlow ? 'this machine is so busy that the endpoint counts as slow' : undefined;
};

/** Tries again if the machine was busy for a moment. */
const measureWell = async (scenario: Scenario): Promise<Measured> => {
  for (let tries = TRIES; ; tries -= 1) {
    const measured = await measure(bench, scenario);
    const fault = faultOf(measured);
    if (fault === undefined) return measured;
    if (tries === 1) throw new Error(`${titleOf(scenario)}: ${fault}.`);
  }
};

const perMillionOf = (measured: Measured, amount: number) => (amount * 1e6) / measured.events;

const price = (measured: Measured): Priced => ({
  measured,
  perMillion: billOf(measured, facts).map(({ what, dollars }) => ({
    what,
    dollars: perMillionOf(measured, dollars),
  })),
});

// Compilation is not measured.
await measure(bench, { population: 'dense', bodyBytes: TYPICAL_BYTES, isSingle: true });
await measure(bench, { population: 'mixed', bodyBytes: TYPICAL_BYTES });
const [typical, ...others] = SCENARIOS;
const priced: [Priced, ...Priced[]] = [price(await measureWell(typical))];
for (const scenario of others) priced.push(price(await measureWell(scenario)));
await service.stop();
receiver.stop();

for (const one of priced) console.log(`${usageTable(one)}\n\n${functionTable(one)}\n`);
console.log(billTable(priced));
console.log(`\n${countingTable(priced)}\n\n${announcingText(priced[0])}`);

keepRecord('cost', {
  title: 'Costs',
  command: 'npm run bench -- cost',
  figures: Object.fromEntries([
    ...priced.map(({ measured, perMillion }) => [
      `a million events: ${titleOf(measured.scenario)}`,
      dollars(totalOf(perMillion)),
    ]),
    ...RATES.map((rate) => [
      `a month of ${rate} events a second`,
      dollars((totalOf(priced[0].perMillion) * rate * SECONDS_OF_MONTH) / 1e6, 0),
    ]),
  ]),
});

if (options.write) {
  const date = new Date().toISOString().slice(0, 10);
  const blocks = measuredBlocks(priced, { memoryMb: facts.memoryMbOf('deliver-webhook'), date });
  const page = 'docs/operators/costs.md';
  const written = Object.entries(blocks).reduce(
    (text, [name, content]) => replaceBlock(text, `bench:cost ${name}`, content),
    await readFile(page, 'utf8'),
  );
  await writeFile(page, written);
  writeCosts();
  console.log(`${page} is written.`);
}
