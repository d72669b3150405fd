import { readdirSync } from 'node:fs';

/** Journeys that show nothing on the emulator. */
const LEFT_OUT = new Set([
  // MiniStack answers 403 to a path with an encoded line break: this journey sends what it draws at random.
  'api-never-fails',
  // These start, crash or cut off an embedded run of their own, or read its files.
  'crashes',
  'endpoint-faults',
  'start',
  'tracing',
  'unreachable-key',
  // MiniStack knows no tumbling windows: its batches of a stream do not say which shard they are of.
  'statistics',
]);

/** Titles of tests of the other files that cannot hold there. They are counted as skipped. */
const IMPOSSIBLE = [
  // Every function that is called forty times at once costs forty processes of Node, all at once.
  'takes forty changes at once, or says when to come back',
  // These show what the tumbling windows count.
  'getStatistics, counted',
  'needs no body where none is told of: getStatistics',
  // The stage says the version of its latest deployment, which the sources do not say.
  'is what the routes of the code say, for the version that runs',
];

const SUFFIX = '.test.ts';

const files = readdirSync('test/journey')
  .filter((file) => file.endsWith(SUFFIX) && !LEFT_OUT.has(file.slice(0, -SUFFIX.length)))
  .map((file) => `test/journey/${file}`);

/** One worker, two tests of it at once: each call at the same time is one more process of Node. */
export const JOURNEYS = [
  ...['--maxWorkers', '1', '--maxConcurrency', '2'],
  ...['--testNamePattern', `^(?!.*(${IMPOSSIBLE.join('|')}))`],
  ...files,
];
