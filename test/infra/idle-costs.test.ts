import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { idleBill } from '../../bench/cost/idle-stage.ts';
import { settingsFor } from '../../lib/stages.ts';
import { SynthesisedStage, synthesise } from './template.ts';

const LEAST = { webAcl: 'false', alarms: 'false' };

const least = new SynthesisedStage('dev', LEAST);

/** Dollars a month. */
const idleCostOf = (stage: SynthesisedStage): number =>
  idleBill(
    stage.all().map(({ logicalId, type, properties }) => ({
      logicalId,
      Type: type,
      Properties: properties,
    })),
  ).reduce((sum, line) => sum + line.dollars, 0);

const cents = (dollars: number): string => `$${dollars.toFixed(2)}`;

describe('a stage in which nothing happens', () => {
  it('costs what the docs say', () => {
    const [prod, dev, leastDev] = [synthesise('prod'), synthesise('dev'), least].map(idleCostOf);
    const page = (path: string) => readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ');

    expect(page('docs/operators/costs.md')).toContain(
      `| **together** | ${cents(prod ?? Number.NaN)} | ${cents(leastDev ?? Number.NaN)} |`,
    );
    expect(page('docs/operators/on-call.md')).toContain(
      `${cents(dev ?? Number.NaN)} a month, and ${cents(leastDev ?? Number.NaN)} with both`,
    );
    expect(page('README.md')).toContain(
      `\`prod\` costs $${prod?.toFixed(0)} a month while nothing happens, stage \`dev\` $${dev?.toFixed(0)}, or $${leastDev?.toFixed(0)} with`,
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
