import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';

const { throttling: of } = settingsFor('prod') as StageSettings;

/** In the order of the page. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  'docs/integrators/api.md': [
    `${of.requestsPerMinuteAndToken} a minute`,
    `${of.requestsPerMinuteAndAddress} a minute`,
    `${of.requestsPerSecond} a second`,
    `${of.burst} at once`,
    `${of.costlyPerMinuteAndToken} a minute`,
    `${of.costlyPerMinuteAndAddress} a minute`,
    `${of.changesPerSecond} a second`,
    `${of.changesBurst} at once`,
    `${of.costlyPerSecond} a second`,
    `${of.costlyBurst} at once`,
    `${of.publicPerMinuteAndAddress} a minute`,
    `${of.publicPerSecond} a second`,
    `${of.publicBurst} at once`,
    `${of.costlyPerMinuteAndAccount} a minute`,
  ],
  'docs/integrators/reconcile.md': [
    `${of.costlyPerMinuteAndAccount} a minute`,
    `${of.requestsPerMinuteAndToken} a minute`,
  ],
  'docs/operators/console-links.md': [
    `${of.platformPerSecond} a second`,
    `${of.platformPerMinuteAndAddress} a minute`,
  ],
  'docs/operators/signatures.md': [
    `${of.platformPerSecond} a second`,
    `${of.platformPerMinuteAndAddress} a minute`,
  ],
};

const OF_PLATFORM = ['docs/operators/console-links.md', 'docs/operators/signatures.md'];

/** A number, what is counted, and the time: but rates of events, which have no limit. */
const RATE = /(\d[\d,]*)(?!xx|[\d,`]| events)[^.|\d]{0,60}? (a minute|a second|at once)\b/g;

const ratesOn = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ').matchAll(RATE)].map(
    ([, number, time]) => `${number?.replace(',', '')} ${time}`,
  );

describe('A limit on callers in the documentation', () => {
  it.each([...globSync('docs/integrators/*.md'), ...OF_PLATFORM])(
    'is the setting of stage prod: %s',
    (page) => {
      expect(ratesOn(page)).toEqual(DOCUMENTED[page] ?? []);
    },
  );
});
