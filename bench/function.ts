/**
 * The CPU time of a delivery in `deliver-webhook`: its handler as it is bundled and deployed,
 * with its real adapters, in a process of its own, one batch after the other as in one sandbox. The
 * AWS services and the endpoint are other processes that answer at once. In turns with it runs the
 * bare loop: a POST with both signatures of the same body, as many side by side, over `node:https`.
 *
 *     npm run bench -- function [--batch-size 10 --body-bytes 900 --deliveries 3000]
 *
 * `--deliveries`: of each round.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareCertificates } from 'local-aws/certificates.ts';
import { startChild } from './child.ts';
import type { AwsSettings } from './function/aws-process.ts';
import type { BareProcessSettings } from './function/bare-process.ts';
import type { FunctionProcessSettings } from './function/function-process.ts';
import type { Round, RoundRequest } from './function/round.ts';
import { quantile, STATE_DIRECTORY } from './service.ts';
import { deliverWebhookIn } from './stage-assembly.ts';

const { values: options } = parseArgs({
  options: {
    'batch-size': { type: 'string', default: '10' },
    'body-bytes': { type: 'string', default: '900' },
    deliveries: { type: 'string', default: '3000' },
  },
});
const batchSize = Number(options['batch-size']);
const bodyBytes = Number(options['body-bytes']);
const deliveries = Math.ceil(Number(options.deliveries) / batchSize) * batchSize;
const ROUNDS = 5;
/** The bare loop is faster: rounds of so many times the deliveries take about as long. */
const BARE_FACTOR = 4;

const directory = await mkdtemp(join(tmpdir(), 'bench-function-'));
const certificates = await prepareCertificates(STATE_DIRECTORY);
const { settings, environmentAt } = await deliverWebhookIn(directory);
const { environment, file, handler } = settings;

const processOf = (name: string): URL => new URL(`./function/${name}-process.ts`, import.meta.url);

const receiver = await startChild<{ url: string }, object, { posts: number }>(
  processOf('receiver'),
  { settings: certificates },
);
const { url } = receiver.ready;
const aws = await startChild<{ origin: string }, object, Record<string, number>>(processOf('aws'), {
  settings: {
    integrationsTable: environment.INTEGRATIONS_TABLE ?? '',
    keyPairsTable: environment.KEY_PAIRS_TABLE ?? '',
    baseUrl: url,
  } satisfies AwsSettings,
});
const trusting = { NODE_EXTRA_CA_CERTS: resolve(certificates.caFile) };
const bare = await startChild<object, RoundRequest, Round>(processOf('bare'), {
  settings: { url, bodyBytes, batchSize } satisfies BareProcessSettings,
  env: trusting,
});
const delivering = await startChild<object, RoundRequest, Round>(processOf('function'), {
  settings: {
    file,
    handler,
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:deliveries',
    bodyBytes,
    batchSize,
  } satisfies FunctionProcessSettings,
  env: { ...environmentAt(aws.ready.origin), ...trusting },
});

/** Deliveries a CPU second. Throws unless each came to the endpoint, without a warning or an error. */
const rateOf = async (process: typeof bare, request: RoundRequest): Promise<number> => {
  const before = await receiver.ask({});
  const { cpuS, failed, errors } = await process.ask(request);
  if (errors[0]) throw new Error(`${errors.length} warnings and errors: ${errors[0]}`);
  const { posts } = await receiver.ask({});
  const came = posts - before.posts;
  if (failed > 0 || came !== request.deliveries) {
    throw new Error(`Of ${request.deliveries} deliveries ${came} came, ${failed} failed.`);
  }
  return request.deliveries / cpuS;
};
const rateOfFunction = () => rateOf(delivering, { deliveries });
const rateOfBareLoop = () => rateOf(bare, { deliveries: BARE_FACTOR * deliveries });

await rateOfBareLoop();
await rateOfFunction();
const callsBefore = await aws.ask({});
const rates: { function: number; bare: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rates.push({ function: await rateOfFunction(), bare: await rateOfBareLoop() });
}
const callsAfter = await aws.ask({});

const median = (values: readonly number[]): number => quantile(values, 0.5);
const ratios = rates.map((rate) => rate.function / rate.bare);
console.log(
  `deliver-webhook, batches of ${batchSize}, bodies of ${bodyBytes} bytes, ${ROUNDS} rounds of ${deliveries} deliveries, medians:`,
);
console.log(
  `deliveries per CPU second      ${median(rates.map((rate) => rate.function)).toFixed(0)}`,
);
console.log(
  `bare loop, POSTs per CPU second ${median(rates.map(({ bare: rate }) => rate)).toFixed(0)}`,
);
console.log(
  `function ÷ bare loop            ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)})`,
);
for (const [action, count] of Object.entries(callsAfter)) {
  const calls = (count - (callsBefore[action] ?? 0)) / (ROUNDS * deliveries);
  console.log(`${action} a delivery`.padEnd(32) + calls.toFixed(2));
}

for (const child of [delivering, bare, aws, receiver]) child.stop();
await rm(directory, { recursive: true });
