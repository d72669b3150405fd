import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { endpointsText } from '../../local/endpoints-file.ts';
import { keepRecord } from '../../tools/proof/records.ts';
import { cdk, LOCAL_STAGE } from '../support/emulator/commands.ts';
import { describeStage, outputsOf } from '../support/emulator/deployed-stage.ts';
import { type Emulator, signalGroup, startEmulator } from '../support/emulator/emulator.ts';
import { setVisibility, VISIBILITY_SECONDS } from '../support/journey/service-under-test.ts';
import { pythonTools } from '../support/python/python-environment.ts';

const STATE_DIRECTORY = fileURLToPath(new URL('../../.local/emulator', import.meta.url));
const RESULTS = '.vitest/emulator-results.json';
const DEPLOYMENTS = `${STATE_DIRECTORY}/deployments.json`;
const ENDPOINTS = `${STATE_DIRECTORY}/endpoints.json`;
const EMULATOR = ['--config', 'vitest.emulator.config.ts'];

/**
 * The journeys that prove something of AWS: its gateway and authorizer, keys, queues, dead letters,
 * schedules and the role of each function. Other journeys would only repeat the embedded run.
 */
const JOURNEY_FILES = [
  'journey/access-matrix',
  'journey/changes',
  'journey/changes-while-failed',
  'journey/delivery',
  'journey/failed-integrations',
  'journey/recovery',
  'journey/retry-and-resend',
  'journey/secrets-at-rest',
  'journey/transient-failures',
  'slow/listen',
  'slow/operators',
];

/** It compares what is served with the code, which `changes` replaces. */
const JOURNEYS_OF_THIS_VERSION = ['journey/served-documents'];

/** What the adapters need of DynamoDB and SQS. MiniStack has no pages of statements (`subscriptions`). */
const CONTRACT_FILES = [
  ...['change-log', 'dead-letters', 'delivery-log', 'delivery-log-reader', 'delivery-queue'],
  ...['directory-lists', 'idempotency-records', 'integration-pages', 'integrations', 'notices'],
  ...['message-visibility', 'pending-event-reading', 'pending-events', 'repeated-events'],
  ...['replay-requests', 'slots', 'statistics', 'streaks', 'trouble-states'],
  'trouble-states-of-a-batch',
].map((name) => `contract/${name}`);

/** One worker with two tests at once: each concurrent call takes one more process of Node. */
const JOURNEYS = [
  ...['--project', 'journey', '--project', 'slow'],
  ...['--maxWorkers', '1', '--maxConcurrency', '2'],
];

const testsOf = (names: readonly string[]) => names.map((name) => `test/${name}.test.ts`);

/** What vitest writes of a run: `testResults` has a part for each file. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  readonly testResults: unknown[];
}

const total: Results = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  testResults: [],
};

/** Of the vitest that runs, with the deployments that its tests have begun. */
let runningGroup: number | undefined;

/** Runs vitest, adds its results to the total; whether all went well. */
const vitest = async (...words: readonly string[]): Promise<boolean> => {
  const file = '.vitest/emulator-part.json';
  await rm(file, { force: true });
  const env = { ...process.env, RESULTS_FILE: file };
  const child = spawn('npx', ['vitest', 'run', ...words], {
    stdio: 'inherit',
    env,
    detached: true,
  });
  runningGroup = child.pid;
  const [code] = await once(child, 'exit');
  runningGroup = undefined;
  const results: Results = JSON.parse(await readFile(file, 'utf8'));
  total.numPassedTests += results.numPassedTests;
  total.numFailedTests += results.numFailedTests;
  total.numPendingTests += results.numPendingTests;
  total.testResults.push(...results.testResults);
  return code === 0;
};

const deployLocal = async (emulator: Emulator): Promise<void> => {
  const { code, output } = await cdk(['deploy', '--all', ...LOCAL_STAGE]);
  if (code !== 0) throw new Error(`Stage local cannot be deployed:\n${output}`);
  const endpoints = await describeStage(emulator, 'local', emulator.certificates);
  // The emulator ends functions that it updates: what they worked on comes back.
  const outputs = await outputsOf(emulator, 'local');
  await setVisibility({ endpoints, outputs }, VISIBILITY_SECONDS);
  await writeFile(ENDPOINTS, endpointsText(endpoints));
};

const runAll = async (emulator: Emulator): Promise<boolean> => {
  const results = [await vitest(...EMULATOR, 'readme')];
  results.push(await vitest(...EMULATOR, 'options'));
  await deployLocal(emulator);
  process.env.SERVICE_ENDPOINTS = ENDPOINTS;
  results.push(await vitest(...EMULATOR, 'verify'));
  results.push(await vitest(...JOURNEYS, ...testsOf(JOURNEYS_OF_THIS_VERSION)));
  results.push(await vitest(...EMULATOR, 'changes'));
  results.push(await vitest(...EMULATOR, 'restore'));
  results.push(await vitest(...JOURNEYS, ...testsOf(JOURNEY_FILES)));
  results.push(await vitest(...EMULATOR, 'farewell'));
  results.push(await vitest('--project', 'contract', ...testsOf(CONTRACT_FILES)));
  return results.every(Boolean);
};

const startedAt = performance.now();
const python = `${await pythonTools()}/python`;
process.env.TOOLS_PYTHON = python;
// It needs a Python with boto3, and calls of 1 MiB, which MiniStack does not take.
const areSamplesRight = await vitest('--project', 'contract', ...testsOf(['contract/events-page']));
const emulator = await startEmulator(STATE_DIRECTORY);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    signalGroup(runningGroup, 'SIGKILL');
    void emulator.stop().finally(() => process.exit(1));
  });
}
try {
  for (const name of Object.keys(process.env)) {
    if (!(name in emulator.environment)) delete process.env[name];
  }
  Object.assign(process.env, emulator.environment, {
    DDB_AT: emulator.aws,
    SQS_AT: emulator.aws,
    TOOLS_PYTHON: python,
    AWS_CA_BUNDLE: emulator.environment.NODE_EXTRA_CA_CERTS,
    CDK_APP: 'node_modules/.bin/node test/support/emulator/synthesise-for-emulator.ts',
    CDK_OUTPUT: `${STATE_DIRECTORY}/cdk.out`,
    CDK_REQUIRE_APPROVAL: 'never',
    // Not the accounts and options of those who deploy to AWS.
    DEPLOYMENTS_FILE: DEPLOYMENTS,
  });
  await writeFile(DEPLOYMENTS, '{}');
  if (!(await runAll(emulator)) || !areSamplesRight) process.exitCode = 1;
} finally {
  await emulator.stop();
  await writeFile(RESULTS, JSON.stringify(total));
}
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
keepRecord('emulator', {
  title: 'Deployments to an AWS emulator',
  command: 'npm run test:emulator',
  figures: {
    'tests: passed': total.numPassedTests,
    'tests: failed': total.numFailedTests,
    'tests: skipped': total.numPendingTests,
    minutes,
  },
});
console.log(
  `On the emulator: ${total.numPassedTests} passed, ${total.numFailedTests} failed, ${total.numPendingTests} skipped in ${minutes} minutes.`,
);
