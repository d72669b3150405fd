import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { SynthesisedStage, synthesise } from './template.ts';

/** What cannot be made one after the other: each waits for the next, and the last for the first. */
const circleIn = (needs: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const done = new Set<string>();
  const circleFrom = (id: string, waiting: readonly string[]): string[] => {
    if (waiting.includes(id)) return [...waiting.slice(waiting.indexOf(id)), id];
    if (done.has(id)) return [];
    for (const needed of needs.get(id) ?? []) {
      const circle = circleFrom(needed, [...waiting, id]);
      if (circle.length > 0) return circle;
    }
    done.add(id);
    return [];
  };
  return [...needs.keys()].map((id) => circleFrom(id, [])).find(({ length }) => length > 0) ?? [];
};

describe.each(stageNames)('CloudFormation, making %s', (stageName) => {
  it('finds something to begin with, and then always something to go on with', () => {
    for (const needs of synthesise(stageName).needs()) expect(circleIn(needs)).toEqual([]);
  });

  it('has room below the 500 resources that a stack can have', () => {
    for (const needs of synthesise(stageName).needs()) expect(needs.size).toBeLessThan(400);
  });
});

/** The names of all that is made after a resource of the type. */
const madeAfter = (stage: SynthesisedStage, type: string): string[] => {
  const [first] = stage.all(type);
  const names = new Map(stage.all().map((each) => [each.logicalId, each.type]));
  return stage.needs().flatMap((needs) => {
    const late = new Set([first?.logicalId ?? '']);
    // A set's iteration reaches what is added meanwhile.
    for (const needed of late) {
      for (const [id, wanted] of needs) if (wanted.has(needed)) late.add(id);
    }
    return [...late].slice(1).map((id) => names.get(id) ?? id);
  });
};

describe('The distribution of the console', () => {
  const DISTRIBUTION = 'AWS::CloudFront::Distribution';

  it('lets all but its bucket be made before it, if the console has a domain', () => {
    const stage = new SynthesisedStage('prod', {
      consoleDomain: {
        name: 'console.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0123',
      },
    });

    expect(madeAfter(stage, DISTRIBUTION)).toEqual([
      'AWS::S3::BucketPolicy',
      'Custom::S3AutoDeleteObjects',
    ]);
  });

  it("is made before the API, if its own name is the console's", () => {
    const late = new Set(madeAfter(synthesise('prod'), DISTRIBUTION));

    expect(late).toContain('AWS::ApiGateway::Deployment');
  });
});

describe('A circle', () => {
  it('is found', () => {
    const needs = new Map([
      ['api', new Set(['console'])],
      ['page', new Set(['api'])],
      ['console', new Set(['headers'])],
      ['headers', new Set(['api'])],
    ]);

    expect(circleIn(needs)).toEqual(['api', 'console', 'headers', 'api']);
  });
});
