import { describe, expect, it } from 'vitest';
import { synthesisePipeline } from './pipeline-template.ts';
import type { Json, Properties } from './template.ts';

const repository = 'acme/integrations';
const dev = synthesisePipeline({ stage: 'dev', repository });
const prod = synthesisePipeline({ stage: 'prod', repository });

type Template = typeof dev;

const ofType = ({ Resources }: Template, type: string) =>
  Object.values(Resources).filter(({ Type }) => Type === type);

/** An ARN with the names of what AWS puts in. */
const textOf = (value: Json): string => {
  if (typeof value === 'string') return value;
  return String((value as Properties)['Fn::Sub']).replaceAll(/\$\{AWS::(\w+)\}/g, '<$1>');
};

const listOf = (value: Json | undefined): Json[] => [value ?? []].flat();

/** What a role may do: each action with its resources. */
const grantsOf = ({ Policies }: Properties): Record<string, string[]> => {
  const [{ PolicyDocument }] = Policies as [{ PolicyDocument: { Statement: Properties[] } }];
  const statements = PolicyDocument.Statement;
  expect(statements.every(({ Effect }) => Effect === 'Allow')).toBe(true);
  return Object.fromEntries(
    statements.flatMap(({ Action, Resource }) =>
      listOf(Action).map((action) => [String(action), listOf(Resource).map(textOf)]),
    ),
  );
};

const rolesOf = (template: Template) =>
  ofType(template, 'AWS::IAM::Role').map(({ Properties: role }) => {
    const trust = role.AssumeRolePolicyDocument as { Statement: Properties[] };
    expect(trust.Statement).toHaveLength(1);
    return { trust: trust.Statement[0] ?? {}, grants: grantsOf(role) };
  });

const trustOf = (subject: string) => ({
  Effect: 'Allow',
  Action: 'sts:AssumeRoleWithWebIdentity',
  Principal: { Federated: { Ref: expect.any(String) } },
  Condition: {
    StringEquals: {
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': subject,
    },
  },
});

const place = (service: string, name: string) =>
  `arn:<Partition>:${service}:<Region>:<AccountId>:${name}`;

describe('The roles of the pipeline', () => {
  it.each([
    ['dev', dev, ['environment:dev', 'pull_request']],
    ['prod', prod, ['environment:prod', 'ref:refs/heads/main']],
  ])('trust one repository: %s', (_, template, subjects) => {
    expect(rolesOf(template).map(({ trust }) => trust)).toEqual(
      subjects.map((subject) => trustOf(`repo:${repository}:${subject}`)),
    );
  });

  it('deploy by the roles of the bootstrap alone', () => {
    const role = (kind: string) =>
      `arn:<Partition>:iam::<AccountId>:role/cdk-hnb659fds-${kind}-role-<AccountId>-<Region>`;

    expect(rolesOf(dev)[0]?.grants['sts:AssumeRole']).toEqual(
      ['deploy', 'file-publishing', 'lookup'].map(role),
    );
  });

  it('verify their own stage', () => {
    const { 'sts:AssumeRole': _, ...grants } = rolesOf(prod)[0]?.grants ?? {};
    const tables = ['DeliveryLog', 'Integrations', 'PendingEvents'].map((table) =>
      place('dynamodb', `table/integrations-prod-state-${table}*`),
    );

    expect(grants).toEqual({
      'cloudformation:DescribeStacks': ['service', 'state'].map((kind) =>
        place('cloudformation', `stack/integrations-prod-${kind}/*`),
      ),
      'sqs:GetQueueAttributes': [place('sqs', 'integrations-prod-service-*')],
      'sqs:SendMessage': [place('sqs', 'integrations-prod-service-EventsQueue*')],
      'dynamodb:GetItem': tables,
      'dynamodb:Query': tables,
      'dynamodb:Scan': [place('dynamodb', 'table/integrations-prod-state-Integrations*')],
      'lambda:ListEventSourceMappings': ['*'],
      'scheduler:GetSchedule': [place('scheduler', 'schedule/integrations-prod/*')],
      'sns:GetTopicAttributes': ['arn:<Partition>:sns:<Region>:*:*'],
      'cloudwatch:DescribeAlarms': ['*'],
      'cloudwatch:GetMetricData': ['*'],
    });
  });

  it.each([
    ['dev', dev],
    ['prod', prod],
  ])('let who compares %s read templates and nothing else', (stage, template) => {
    const stacks = ['service', 'state'].map((kind) =>
      place('cloudformation', `stack/integrations-${stage}-${kind}/*`),
    );

    expect(rolesOf(template)[1]?.grants).toEqual({
      'cloudformation:DescribeStacks': stacks,
      'cloudformation:GetTemplate': stacks,
    });
  });

  it("are told to the operator, who gives them to the repository's variables", () => {
    for (const { Outputs } of [dev, prod])
      expect(Object.keys(Outputs)).toEqual(['DeployRoleArn', 'DiffRoleArn']);
  });

  it('trust the provider that the account has, if the deployment says so', () => {
    const existing = synthesisePipeline({ stage: 'prod', repository, githubProvider: 'existing' });

    expect(ofType(dev, 'AWS::IAM::OIDCProvider')).toHaveLength(1);
    expect(ofType(existing, 'AWS::IAM::OIDCProvider')).toHaveLength(0);
    const [federated] = rolesOf(existing).map(
      ({ trust }) => (trust.Principal as Properties).Federated,
    );
    expect(textOf(federated ?? '')).toBe(
      'arn:<Partition>:iam::<AccountId>:oidc-provider/token.actions.githubusercontent.com',
    );
  });

  it('trust a repository whose tokens have ids', () => {
    const template = synthesisePipeline({ stage: 'prod', repository: 'acme@12/integrations@345' });

    expect(rolesOf(template)[0]?.trust).toEqual(
      trustOf('repo:acme@12/integrations@345:environment:prod'),
    );
  });

  it.each([
    [{ repository }, 'stage must be dev or prod.'],
    [{ repository, stage: 'local' }, 'stage must be dev or prod.'],
    ...[undefined, 'integrations', 'acme/*', 'acme@1/integrations', 'acme/a:b', 'a/b/c'].map(
      (wrong): [object, string] => [
        { stage: 'dev', repository: wrong },
        'repository must be <owner>/<name>, or <owner>@<id>/<name>@<id>.',
      ],
    ),
    [
      { stage: 'dev', repository, githubProvider: 'mine' },
      'githubProvider must be new or existing.',
    ],
  ])('are refused with the option that is wrong: %o', (options, problem) => {
    expect(() => synthesisePipeline({ ...options })).toThrow(problem);
  });
});
