import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAssembly, type StackTemplate } from '../../local/template/assembly.ts';
import { resolveStacks } from '../../local/template/stacks.ts';
import { lambda, writeAssembly } from '../support/local-assembly.ts';

const ORIGINS = { awsOrigin: 'http://127.0.0.1:4566', apiOrigin: 'http://127.0.0.1:4000' };

const stack = (stackName: string, template: Partial<StackTemplate['template']>): StackTemplate => ({
  stackName,
  assets: new Map(),
  template: { Parameters: {}, Conditions: {}, Resources: {}, Outputs: {}, ...template },
});

const resource = (Type: string, Properties: Record<string, unknown> = {}) => ({ Type, Properties });

/** Resolves a value in a stack that has a queue, a table and a role. */
const resolved = (Value: unknown): string | undefined => {
  const [only] = resolveStacks(
    [
      stack('app', {
        Parameters: { Version: { Default: '6' } },
        Conditions: {
          Yes: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] },
          No: { 'Fn::Not': [{ Condition: 'Yes' }] },
        },
        Resources: {
          Queue: resource('AWS::SQS::Queue'),
          Table: resource('AWS::DynamoDB::Table', { TableName: 'things' }),
          Role: resource('AWS::IAM::Role'),
        },
        Outputs: { It: { Value } },
      }),
    ],
    ORIGINS,
  );
  return only?.outputs[0]?.value;
};

describe('the template reader', () => {
  it.each([
    [{ Ref: 'Queue' }, 'http://127.0.0.1:4566/000000000000/app-Queue'],
    [{ Ref: 'Table' }, 'things'],
    [{ Ref: 'Version' }, '6'],
    [{ Ref: 'AWS::AccountId' }, '000000000000'],
    [{ Ref: 'AWS::StackName' }, 'app'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:app-Queue'],
    [{ 'Fn::GetAtt': 'Queue.QueueName' }, 'app-Queue'],
    [{ 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::000000000000:role/app-Role'],
    [{ 'Fn::Join': ['/', ['a', { Ref: 'Table' }]] }, 'a/things'],
    [
      { 'Fn::Sub': `\${AWS::Partition}:\${Table}:\${Queue.QueueName}:\${!Kept}` },
      `aws:things:app-Queue:\${Kept}`,
    ],
    [{ 'Fn::Sub': [`\${Name}`, { Name: { Ref: 'Table' } }] }, 'things'],
    [
      { 'Fn::Select': [5, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] },
      'app-Queue',
    ],
    [{ 'Fn::If': ['Yes', 'then', 'else'] }, 'then'],
    [{ 'Fn::If': ['No', 'then', 'else'] }, 'else'],
    [{ 'Fn::Join': ['', ['a', { Ref: 'AWS::NoValue' }, 'b']] }, 'ab'],
    ['https://abc.execute-api.us-east-1.amazonaws.com/local/', 'http://127.0.0.1:4000/'],
  ])('resolves %j', (value, expected) => {
    expect(resolved(value)).toBe(expected);
  });

  it('gives a stack what an earlier one exports', () => {
    const stacks = resolveStacks(
      [
        stack('state', {
          Resources: { Table: resource('AWS::DynamoDB::Table') },
          Outputs: { Name: { Value: { Ref: 'Table' }, Export: { Name: 'state:Table' } } },
        }),
        stack('service', { Outputs: { It: { Value: { 'Fn::ImportValue': 'state:Table' } } } }),
      ],
      ORIGINS,
    );
    expect(stacks[1]?.outputs[0]?.value).toBe('state-Table');
  });

  it('names the resource whose type it does not know', () => {
    const template = stack('app', { Resources: { Bucket: resource('AWS::S3::Bucket') } });
    expect(() => resolveStacks([template], ORIGINS)).toThrow(
      'app/Bucket: AWS::S3::Bucket is not emulated',
    );
  });

  it('says which resource uses a function it does not know', () => {
    const template = stack('app', {
      Resources: { Queue: resource('AWS::SQS::Queue', { Tags: { 'Fn::Base64': 'x' } }) },
    });
    expect(() => resolveStacks([template], ORIGINS)).toThrow(
      'app/Queue: Fn::Base64 is not emulated',
    );
  });

  it('leaves out resources whose condition does not hold, and properties without a value', () => {
    const template = stack('app', {
      Conditions: { No: { 'Fn::Equals': ['a', 'b'] } },
      Resources: {
        Absent: { ...resource('AWS::SQS::Queue'), Condition: 'No' },
        Present: resource('AWS::SQS::Queue', { KmsMasterKeyId: { Ref: 'AWS::NoValue' } }),
      },
    });
    const [only] = resolveStacks([template], ORIGINS);
    expect(only?.resources.map(({ logicalId, properties }) => [logicalId, properties])).toEqual([
      ['Present', {}],
    ]);
  });

  it('keeps generated names within the limit of their service', () => {
    const logicalId = 'A'.repeat(70);
    const template = stack('app', {
      Resources: {
        [`${logicalId}1`]: resource('AWS::Lambda::Function'),
        [`${logicalId}2`]: resource('AWS::Lambda::Function'),
      },
    });
    const [only] = resolveStacks([template], ORIGINS);
    const names = only?.resources.map(({ name }) => name) ?? [];
    expect(names.map(({ length }) => length)).toEqual([64, 64]);
    expect(new Set(names).size).toBe(2);
  });

  it('finds the assets of a cloud assembly by the key they would have in S3', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'assembly-'));
    await writeAssembly(directory, {
      bundles: { greet: 'export const handler = () => {};' },
      resources: { Greet: lambda('greet') },
    });
    const [only] = await readAssembly(directory);
    await rm(directory, { recursive: true });
    expect(only?.stackName).toBe('test');
    expect(only?.assets.get('greet.zip')).toBe(join(directory, 'asset.greet'));
  });
});
