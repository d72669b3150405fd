/**
 * The journeys that prove something of AWS: its gateway and authorizer, keys, queues, dead letters,
 * schedules and the role of each function. Other journeys would only repeat the embedded run.
 */
const FILES = [
  'journey/access-matrix',
  'journey/changes-while-failed',
  'journey/delivery',
  'journey/failed-integrations',
  'journey/recovery',
  'journey/retry-and-resend',
  'journey/secrets-at-rest',
  'journey/transient-failures',
  'slow/operators',
];

/** One worker with two tests at once: each concurrent call takes one more process of Node. */
export const JOURNEYS = [
  ...['--project', 'journey', '--project', 'slow'],
  ...['--maxWorkers', '1', '--maxConcurrency', '2'],
  ...FILES.map((name) => `test/${name}.test.ts`),
];
