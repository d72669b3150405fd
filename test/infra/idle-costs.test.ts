import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalOf } from '../../bench/cost/dollars.ts';
import { settingsFor } from '../../lib/stages.ts';
import { idleBillOf } from '../docs/cost-blocks.ts';
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
      `\`prod\` costs $${prod} a month while nothing happens, stage \`dev\` $${dev}, or $${leastDev} with`,
    );
  });
});

describe('a stage without alarms', () => {
  it('has none, and all else that it has with alarms but for the web ACL', () => {
    const typesOf = (stage: SynthesisedStage) =>
      new Set(
        stage
          .all()
          .map(({ type }) => type)
          .filter((type) => !type.startsWith('AWS::WAF')),
      );

    expect(least.all('AWS::CloudWatch::Alarm')).toEqual([]);
    expect(new Set([...typesOf(least), 'AWS::CloudWatch::Alarm'])).toEqual(
      typesOf(synthesise('dev')),
    );
  });

  it.each([
    ['prod', { alarms: 'false' }, 'Stage "prod" has alarms'],
    ['dev', { alarms: 'false', dashboard: 'true' }, 'A dashboard draws the alarms'],
    ['dev', { alarms: 'no' }, 'alarms must be true or false.'],
  ])('is refused: %s with %o', (name, choices, problem) => {
    expect(() => settingsFor(name, choices)).toThrow(problem);
  });

  it('may have its dashboard left out by name', () => {
    expect(settingsFor('dev', { alarms: 'false', dashboard: 'false' })).toMatchObject({
      alarms: false,
      dashboard: false,
    });
  });
});
