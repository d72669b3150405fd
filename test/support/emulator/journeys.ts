/** Journeys that hold on the emulator, and are over in some minutes. */
const FILES = [
  'api',
  'api-errors',
  'delivery',
  'delivery-log',
  'documented-examples',
  'failed-integrations',
  'misbehaving-endpoints',
  'recovery',
  'served-documents',
  'transient-failures',
  'unroutable-events',
];

/** Titles of tests of these files that cannot hold there. They are counted as skipped. */
const IMPOSSIBLE = [
  // Every function that is called forty times at once costs forty processes of Node, all at once.
  'takes forty changes at once, or says when to come back',
  // MiniStack knows no tumbling windows: its batches of a stream do not say which shard they are of.
  'getStatistics',
  // The stage says the version of its latest deployment, which the sources do not say.
  'is what the routes of the code say, for the version that runs',
];

/** One worker, two tests of it at once: each call at the same time is one more process of Node. */
export const JOURNEYS = [
  ...['--maxWorkers', '1', '--maxConcurrency', '2'],
  ...['--testNamePattern', `^(?!.*(${IMPOSSIBLE.join('|')}))`],
  ...FILES.map((name) => `test/journey/${name}.test.ts`),
];
