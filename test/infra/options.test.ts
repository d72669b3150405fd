import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../lib/deployment-options.ts';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import { type Properties, type SynthesisedStage, synthesise } from './template.ts';

const ACCOUNT = '444455556666';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/teams/platform`;

const plain = synthesise('prod');

describe('An option', () => {
  const BAD: Readonly<Record<string, readonly [fault: string, ...values: unknown[]]>> = {
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
