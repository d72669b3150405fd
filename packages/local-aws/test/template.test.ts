import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAssembly, type StackTemplate } from '../template/assembly.ts';
import { resolveStacks } from '../template/stacks.ts';
import { lambda, startTestRun, writeAssembly } from './support/assembly.ts';

const ORIGINS = {
  awsOrigin: 'http://127.0.0.1:4566',
  apiOrigin: 'http://127.0.0.1:4000',
};

const stack = (stackName: string, template: Partial<StackTemplate['template']>): StackTemplate => ({
  stackName,
  assets: new Map(),
  template: { Resources: {}, Outputs: {}, ...template },
});

const resource = (Type: string, Properties: Record<string, unknown> = {}) => ({ Type, Properties });

const TABLE = { AttributeDefinitions: [], BillingMode: 'PAY_PER_REQUEST', KeySchema: [] };

const MAPPING = {
  BatchSize: 10,
  EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
  FunctionName: 'greet',
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  ScalingConfig: { MaximumConcurrency: 2 },
};

/** Resolves a value in a stack that has a queue, a table and a role. */
const resolved = (Value: unknown): string | undefined => {
  const [only] = resolveStacks(
    [
      stack('app', {
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
    [{ Ref: 'AWS::AccountId' }, '000000000000'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:app-Queue'],
    [{ 'Fn::GetAtt': ['Queue', 'QueueName'] }, 'app-Queue'],
    [{ 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::000000000000:role/app-Role'],
    [{ 'Fn::Join': ['/', ['a', { Ref: 'Table' }]] }, 'a/things'],
    [{ 'Fn::Sub': `\${AWS::Partition}:\${Table}` }, 'aws:things'],
    [
      { 'Fn::Select': [5, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] },
      'app-Queue',
    ],
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

  it.each([
    [
      'a resource of another type',
      { Resources: { Bucket: resource('AWS::S3::Bucket') } },
      'app/Bucket: the embedded run does not emulate this: AWS::S3::Bucket',
    ],
    [
      'another intrinsic function',
      { Resources: { Queue: resource('AWS::SQS::Queue', { Tags: [{ 'Fn::Base64': 'x' }] }) } },
      'app/Queue.Tags.0: the embedded run does not emulate this: Fn::Base64',
    ],
    [
      'variables in a text',
      { Outputs: { It: { Value: { 'Fn::Sub': ['a', {}] } } } },
      'app.It.Fn::Sub: the embedded run does not emulate this: variables of its own',
    ],
    [
      'another attribute of a resource',
      {
        Resources: { Queue: resource('AWS::SQS::Queue') },
        Outputs: { It: { Value: { 'Fn::GetAtt': ['Queue', 'QueueUrl'] } } },
      },
      'app/Queue: the embedded run does not emulate this: the attribute QueueUrl',
    ],
  ])('names the place of %s, which is not emulated', (_case, template, message) => {
    expect(() => resolveStacks([stack('app', template)], ORIGINS)).toThrow(message);
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

  it.each([
    [
      'a condition of a resource',
      { Queue: { Type: 'AWS::SQS::Queue', Condition: 'InProduction' } },
      'test.Resources.Queue.Condition: the embedded run does not emulate this',
    ],
    [
      'a secondary index',
      { Table: resource('AWS::DynamoDB::Table', { ...TABLE, GlobalSecondaryIndexes: [] }) },
      'test/Table.GlobalSecondaryIndexes: the embedded run does not emulate this',
    ],
    [
      'a filter of an event source',
      { Mapping: resource('AWS::Lambda::EventSourceMapping', { ...MAPPING, FilterCriteria: {} }) },
      'test/Mapping.FilterCriteria: the embedded run does not emulate this',
    ],
    [
      'a dead-letter queue of a function',
      { Greet: lambda('greet', { DeadLetterConfig: {} }) },
      'test/Greet.DeadLetterConfig: the embedded run does not emulate this',
    ],
    [
      'a mock integration',
      {
        Api: resource('AWS::ApiGateway::RestApi'),
        Get: resource('AWS::ApiGateway::Method', {
          RestApiId: 'api',
          AuthorizationType: 'NONE',
          HttpMethod: 'GET',
          Integration: { Type: 'MOCK' },
          ResourceId: 'root',
        }),
      },
      /^test\/Get\.Integration\.\w+: the embedded run does not emulate this/,
    ],
  ])('starts nothing when it finds %s, and names the place', async (_case, resources, message) => {
    const bundles = { greet: 'export const handler = () => {};' };
    await expect(startTestRun({ bundles, resources })).rejects.toThrow(message);
  });
});
