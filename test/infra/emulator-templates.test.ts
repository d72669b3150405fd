import { describe, expect, it } from 'vitest';
import { type Template, withoutEmulatorFaults } from '../support/emulator/emulator-faults.ts';
import { compose } from './template.ts';

const forEmulator = (template: Template) =>
  withoutEmulatorFaults(template, 'https://127.0.0.1:4566');

const schedules = (group: string) => ({
  'Fn::Join': ['', ['arn:aws:scheduler:', { Ref: 'AWS::Region' }, `:1:schedule/${group}/*`]],
});

const policy = (...statements: object[]) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyDocument: { Statement: statements } },
});

describe('The template that the emulator gets', () => {
  it('lacks only what the emulator does not know', () => {
    const queue = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } };

    const { Resources } = forEmulator({
      Resources: {
        Queue: { ...queue, DependsOn: ['Association', 'Role'] },
        Other: { ...queue, DependsOn: 'Association' },
        Role: { Type: 'AWS::IAM::Role' },
        Association: { Type: 'AWS::WAFv2::WebACLAssociation' },
      },
    });

    expect(Resources).toEqual({
      Queue: { ...queue, DependsOn: ['Role'] },
      Other: queue,
      Role: { Type: 'AWS::IAM::Role' },
    });
  });

  it('allows what the emulator calls by another name, and nothing else', () => {
    const read = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: 'arn:table' };
    const send = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:queue' };
    const create = { Effect: 'Allow', Action: ['scheduler:CreateSchedule'] };

    const { Resources } = forEmulator({
      Resources: { Policy: policy(read, send, { ...create, Resource: schedules('ours') }) },
    });

    expect(Resources.Policy).toEqual(
      policy(
        { ...read, Action: ['dynamodb:GetItem'] },
        { ...send, Action: ['sqs:SendMessage', 'sqs:SendMessageBatch'] },
        { ...create, Resource: [schedules('ours'), schedules('default')] },
      ),
    );
  });

  it.each(['dynamodb:PartiQLDelete', 'dynamodb:PartiQLInsert', 'dynamodb:PartiQLSelect'])(
    'allows statements to who may %s',
    (action) => {
      const query = { Effect: 'Allow', Action: ['dynamodb:Query'], Resource: 'arn:table' };
      const write = { ...query, Action: ['dynamodb:Query', action] };

      const { Resources } = forEmulator({
        Resources: { Reader: policy(query), Writer: policy(write) },
      });

      expect(Resources).toEqual({
        Reader: policy(query),
        Writer: policy(write, {
          Effect: 'Allow',
          Action: ['dynamodb:BatchExecuteStatement', 'dynamodb:ExecuteStatement'],
          Resource: '*',
        }),
      });
    },
  );

  it('has no conditions on the use of a key, and all others', () => {
    const ofService = { 'kms:ViaService': 'dynamodb' };
    const use = { Effect: 'Allow', Action: ['kms:Decrypt'], Resource: 'arn:key' };
    const purpose = { 'kms:EncryptionContext:purpose': 'secrets' };

    const { Resources } = forEmulator({
      Resources: {
        Policy: policy(
          { ...use, Condition: { StringEquals: purpose } },
          { ...use, Condition: { StringEquals: { ...purpose, ...ofService } } },
        ),
      },
    });

    expect(Resources.Policy).toEqual(
      policy(use, { ...use, Condition: { StringEquals: ofService } }),
    );
  });

  it("makes a user pool's issuer of its id", () => {
    const pool = {
      Type: 'AWS::SSM::Parameter',
      Properties: { Value: { 'Fn::GetAtt': ['Pool', 'ProviderURL'] } },
    };

    const { Resources, Outputs } = forEmulator({
      Resources: { Issuer: pool },
      Outputs: { Issuer: { Value: pool.Properties.Value } },
    });

    for (const part of [Resources, Outputs]) {
      expect(JSON.stringify(part)).toContain('{"Ref":"Pool"}');
      expect(JSON.stringify(part)).not.toContain('ProviderURL');
    }
  });

  it('has the metric of an expression in the alarm, and no release policy', () => {
    const Metric = { Namespace: 'Ours', MetricName: 'Latency', Dimensions: [] };
    const ofMetric = { Id: 'latency', MetricStat: { Metric, Period: 300, Stat: 'Maximum' } };
    const Metrics = [{ Id: 'filled', Expression: 'FILL(latency, 900000)' }, ofMetric];
    const alias = { Type: 'AWS::Lambda::Alias', Properties: { Name: 'live' } };
    const UpdatePolicy = { CodeDeployLambdaAliasUpdate: { ApplicationName: { Ref: 'Release' } } };

    const { Resources } = forEmulator({
      Resources: {
        Late: { Type: 'AWS::CloudWatch::Alarm', Properties: { Threshold: 5, Metrics } },
        Live: { ...alias, UpdatePolicy },
        Release: { Type: 'AWS::CodeDeploy::Application' },
      },
    });

    expect(Resources).toEqual({
      Late: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: { ...Metric, Threshold: 5, Period: 300, Statistic: 'Maximum' },
      },
      Live: alias,
    });
  });

  it('has the path of the API at the emulator', () => {
    const [, service] = compose('local', { canary: 'true' }).synthesiseTemplates();

    const { Resources } = forEmulator(service as Template);

    const name = Object.keys(Resources).find((id) => id.startsWith('SendCanaryFunction')) ?? '';
    expect(Resources[name]?.Properties).toMatchObject({
      Environment: {
        Variables: {
          CANARY_URL: {
            'Fn::Join': [
              '',
              [
                'https://127.0.0.1:4566/_aws/execute-api/',
                { Ref: expect.stringMatching(/^ServiceApi/) },
                '/',
                { Ref: expect.stringMatching(/^ServiceApi/) },
                '/_canary',
              ],
            ],
          },
        },
      },
    });
  });
});
