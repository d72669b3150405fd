import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { METRICS } from '../../../lambdas/runtime/reporting.ts';

const page = readFileSync('docs/operators/logs-and-metrics.md', 'utf8');

/** Names of log events, where a function writes them with `logger` or names them for others to write. */
const NAMED = /(?:logger\.(?:info|warn|error)\(|logEvent:)\s*'([a-z_]+\.[a-z_]+)'/g;

it('the page about logs has each log event and metric of the functions', () => {
  const logEvents = globSync('lambdas/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(NAMED)].map(([, name = '']) => name),
  );

  expect([...logEvents, ...METRICS].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(logEvents.length).toBeGreaterThan(20);
});
