import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalOf } from '../../bench/cost/dollars.ts';
import { concurrencyFor } from '../../bench/docs/capacity-blocks.ts';
import { idleBillOf } from '../../bench/docs/cost-blocks.ts';
import { pagesWithCurrentFigures } from '../../bench/docs/write-costs.ts';
import { settingsFor } from '../../lib/stages.ts';
import { blockIn } from '../../tools/docs/markdown.ts';
import { SynthesisedStage, synthesise } from './template.ts';

const LEAST = { webAcl: 'false', alarms: 'false' };

const least = new SynthesisedStage('dev', LEAST);

describe('a stage in which nothing happens', () => {
  it('costs what the README says', () => {
    const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');
    const [prod, dev, leastDev] = [synthesise('prod'), synthesise('dev'), least].map((stage) =>
      totalOf(idleBillOf(stage)).toFixed(0),
    );

    expect(readme).toContain(
      `An idle \`prod\` costs $${prod} a month, an idle \`dev\` $${dev}, or $${leastDev} with`,
    );
  });
});

describe('a stage without alarms', () => {
  it('has no alarms and no topic, and all else but the web ACL', () => {
    const typesOf = (stage: SynthesisedStage) =>
      new Set(
        stage
          .all()
          .map(({ type }) => type)
          .filter((type) => !/^AWS::(?:WAF|SNS)/.test(type)),
      );

    expect(least.all('AWS::CloudWatch::Alarm')).toEqual([]);
    const ofAlarms = ['AWS::CloudWatch::Alarm', 'AWS::Logs::MetricFilter'];
    expect(new Set([...typesOf(least), ...ofAlarms])).toEqual(typesOf(synthesise('dev')));
  });
});

const read = (path: string): string => readFileSync(path, 'utf8');

describe('the figures in the documents of operators', () => {
  it.each(pagesWithCurrentFigures())('are those of `npm run docs`: $path', (page) => {
    expect(read(page.path)).toBe(page.text);
  });

  it('are the concurrency and the limits of prod', () => {
    const prod = settingsFor('prod');
    const [ofToken, ofAddress] = [
      prod?.throttling.requestsPerMinuteAndToken,
      prod?.throttling.requestsPerMinuteAndAddress,
    ].map((limit) => `${limit?.toLocaleString('en-US')} a minute`);

    expect(read('docs/operators/deploy.md')).toContain(
      `| \`prod\` | ${Object.values(prod?.maximumConcurrency ?? {}).join(', ')} |`,
    );
    expect(read('docs/integrators/api.md')).toContain(
      `| all | ${ofToken} | ${ofAddress} | ${prod?.throttling.requestsPerSecond} a second for each method`,
    );
  });

  it('are all numbers', () => {
    for (const { text } of pagesWithCurrentFigures()) expect(text).not.toContain('NaN');
  });

  it('count the executions that a rate takes', () => {
    const load = { eventsPerSecond: 1_000, cpuMsOfFullBatch: 5, memoryMb: 884.5 };

    // 100 batches a second of 5 × 2 + 15 + 100 ms.
    expect(concurrencyFor({ ...load, batchSize: 10, endpointMs: 100 })).toBe(13);
    // 1,000 batches a second of 0.5 × 2 + 15 ms.
    expect(concurrencyFor({ ...load, batchSize: 1, endpointMs: 0 })).toBe(16);
  });

  it('need a place in their page', () => {
    expect(() => blockIn('# Costs', 'docs:costs month')).toThrow('no block "docs:costs month"');
  });
});
