import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type GivenOptions, optionsOf } from '../../lib/deployment-options.ts';
import type { StageName } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import { type Properties, type SynthesisedStage, synthesise } from './template.ts';

const ACCOUNT = '444455556666';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/teams/platform`;

const plain = synthesise('prod');

describe('An option', () => {
  const BAD: Readonly<Record<string, readonly [fault: string, ...values: unknown[]]>> = {
    concurrency: ['must be a whole number of executions', '9', '-1', '1.5', 'many', '100000', null],
    producers: [
      'must be AWS accounts or ARNs of roles or users',
      ...['*', '', '4444', `${ROLE}/*`, `${ACCOUNT},*`, `${ACCOUNT},`, 'arn:aws:iam::*:role/a'],
      ...['arn:aws:sts::444455556666:assumed-role/a/b', 'example.com', [ACCOUNT]],
    ],
  };

  it.each(Object.entries(BAD))('is refused by its name: %s', (name, [fault, ...values]) => {
    for (const value of values)
      expect(() => optionsOf('prod', { [name]: value }), String(value)).toThrow(`${name} ${fault}`);
  });

  it.each<[StageName, GivenOptions, string]>([
    ['dev', { concurrency: 100 }, 'takes the fewest executions'],
  ])('is refused in %s: %o', (stage, options, fault) => {
    expect(() => optionsOf(stage, options)).toThrow(fault);
  });
});

describe('concurrency', () => {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

  /** Of the mappings, and reserved by the functions. */
  const concurrencyOf = (stage: SynthesisedStage) => ({
    sources: stage
      .all('AWS::Lambda::EventSourceMapping')
      .flatMap(({ properties: { ScalingConfig } }) =>
        ScalingConfig ? Number((ScalingConfig as Properties).MaximumConcurrency) : [],
      ),
    reserved: stage
      .all('AWS::Lambda::Function')
      .flatMap(({ properties }) => properties.ReservedConcurrentExecutions ?? []),
  });

  it('is that of each event source, and reserved where AWS allows it', () => {
    const half = concurrencyOf(synthesise('prod', { concurrency: '500' }));

    expect(half.sources.toSorted()).toEqual([10, 200, 25, 45, 50]);
    expect(half.reserved.toSorted()).toEqual([10, 200, 25, 45, 50]);
    expect(concurrencyOf(synthesise('prod', { concurrency: '200' }))).toEqual({
      sources: [10, 80, 20, 4, 18],
      reserved: [],
    });
  });

  it('takes no more than there is, of which 100 are not reserved', () => {
    for (let concurrency = 10; concurrency <= 4_000; concurrency += 1) {
      const { maximumConcurrency, reservesConcurrency } =
        settingsFor('prod', { concurrency }) ?? {};
      const sources = Object.values(maximumConcurrency ?? {});
      const free = reservesConcurrency ? 100 : 0;

      expect(sum(sources), `${concurrency}`).toBeLessThanOrEqual(concurrency - free);
      expect(Math.min(...sources), `${concurrency}`).toBeGreaterThanOrEqual(2);
      expect(Math.max(...sources), `${concurrency}`).toBeLessThanOrEqual(1_000);
    }
  });

  it('of the default limit changes nothing', () => {
    expect(settingsFor('prod', { concurrency: 1_000 })).toEqual(settingsFor('prod'));
  });
});

describe('producers', () => {
  const allowedIn = (stage: SynthesisedStage) =>
    stage.all('AWS::SQS::QueuePolicy').flatMap(({ path, properties }) => {
      const { Statement } = properties.PolicyDocument as { Statement: Properties[] };
      const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
      return allowed.map(({ Action, Principal }) => ({ path, Action, Principal }));
    });

  it('may send to the events queue, and to no other', () => {
    const root = ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::${ACCOUNT}:root`]];

    expect(allowedIn(synthesise('prod', { producers: `${ACCOUNT}, ${ROLE}` }))).toEqual([
      {
        path: 'Events/Queue/Policy',
        Action: 'sqs:SendMessage',
        Principal: { AWS: [ROLE, { 'Fn::Join': root }] },
      },
    ]);
  });

  it('need the permission that the page about events has', () => {
    const page = readFileSync('docs/operators/events.md', 'utf8');
    const [, statement = ''] = fencedBlocks(page, 'json');
    const { Action, Resource } = JSON.parse(statement);
    const [{ logicalId } = { logicalId: '' }] = plain
      .all('AWS::SQS::Queue')
      .filter(({ path }) => path === 'Events/Queue');

    expect(Action).toBe('sqs:SendMessage');
    // CloudFormation names it by stack and logical id.
    expect(`integrations-prod-service-${logicalId}`).toContain(
      Resource.split(':').at(-1).replace('…', ''),
    );
  });

  it('are none of another account by default', () => {
    expect(allowedIn(plain)).toEqual([]);
  });
});
