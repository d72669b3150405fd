import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LOG_QUERIES } from '../../lib/monitoring/saved-queries.ts';
import { secretsFileIn } from '../support/journey/secrets-used.ts';
import { LOGGED_RUNS } from '../support/journey/service-under-test.ts';
import { linesOfFaults } from '../support/logs/lines-of-faults.ts';
import { fieldsOf, logEventsOf } from '../support/logs/log-query-fields.ts';

type Line = Readonly<Record<string, unknown>>;

const [directory = ''] = LOGGED_RUNS;
// Journeys against a service elsewhere leave no logs here.
const wasRun = existsSync(secretsFileIn(directory));

const parsed = (line: string): Line[] => {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // Lambda's own lines, and Node's.
  }
};

/** The log lines of the journeys, by the folder of the function in lambdas/. */
const readLines = async (): Promise<ReadonlyMap<string, readonly Line[]>> => {
  const logs = join(directory, 'logs');
  const files = await readdir(logs);
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const [, name = ''] = /-service-(\w+)Function\w+\.log$/.exec(file) ?? [];
        const folder = name.replaceAll(/(?<=.)(?=[A-Z])/g, '-').toLowerCase();
        const text = await readFile(join(logs, file), 'utf8');
        return [folder, text.split('\n').flatMap(parsed)] as const;
      }),
    ),
  );
};

/**
 * Fields that a journey brings about by chance alone: a delivery is dropped if its integration is
 * deleted between routing and attempt. `deliver-webhook-summary.test.ts` has the lines with them.
 */
const RARE: ReadonlySet<string> = new Set(['dropped', 'setAside']);

describe('A saved query about the lines of functions', () => {
  let lines: ReadonlyMap<string, readonly Line[]>;
  let faults: readonly Line[];
  beforeAll(async () => {
    if (wasRun) lines = await readLines();
    // Journeys rarely cause internal faults.
    faults = await linesOfFaults();
  });

  const queries = LOG_QUERIES.filter(({ readsAccessLog }) => !readsAccessLog);

  it.skipIf(!wasRun).each(queries)('names fields that those lines have: $name', (query) => {
    const folders = query.functions === 'all' ? [...lines.keys()] : query.functions;
    const events = logEventsOf(query.text);
    const written = [
      ...folders.flatMap((folder) => lines.get(folder) ?? []),
      ...(query.functions === 'all' ? faults : []),
    ].filter(({ message }) => events.length === 0 || events.includes(String(message)));
    const has = (field: string) => RARE.has(field) || written.some((line) => field in line);

    expect(fieldsOf(query.text).filter((field) => !has(field))).toEqual([]);
    expect(fieldsOf(query.text).length).toBeGreaterThan(0);
  });
});
