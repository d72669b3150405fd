import { describe, expect, it } from 'vitest';
import { AwsError, type ParsedAwsRequest, parseRequest } from '../../aws/aws-request.ts';
import { type AccessMade, createAccessGuard } from '../../iam/access-guard.ts';
import type { Resource } from '../../template/stacks.ts';

const ACCOUNT = 'arn:aws:iam::000000000000';
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/directory';
const OTHER_TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/integrations';
const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:deliveries';
const SCHEDULES = 'arn:aws:scheduler:us-east-1:000000000000:schedule/retries/*';

const aResource = (type: string, name: string, properties: object): Resource => ({
  path: `stack/${name}`,
  type,
  name,
  arn: `${ACCOUNT}:role/${name}`,
  reference: name,
  properties: { ...properties },
});

const allow = (Action: string | string[], Resource: string, Condition?: object) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition && { Condition }),
});

/** A guard of one function, `reader`, whose role has the statements. */
const aGuard = (...Statement: object[]) => {
  const made: AccessMade[] = [];
  const guard = createAccessGuard(
    [
      aResource('AWS::IAM::Role', 'reader-role', {}),
      aResource('AWS::IAM::Policy', 'policy', {
        PolicyDocument: { Statement, Version: '2012-10-17' },
        PolicyName: 'policy',
        Roles: ['reader-role'],
      }),
      aResource('AWS::Lambda::Function', 'reader', { Role: `${ACCOUNT}:role/reader-role` }),
      aResource('AWS::DynamoDB::Table', 'directory', {
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    ],
    (access) => made.push(access),
  );
  return { guard, made };
};

const aRequest = (target: string, input: object, { path = '/' } = {}): ParsedAwsRequest =>
  parseRequest({
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=reader/20261122/us-east-1/x/aws4_request`,
      ...(target && { 'x-amz-target': target }),
    },
    body: Buffer.from(JSON.stringify(input)),
    tooLarge: false,
    clientGone: new AbortController().signal,
  });

const dynamo = (operation: string, input: object) =>
  aRequest(`DynamoDB_20120810.${operation}`, input);

describe('A call of a function', () => {
  it('is allowed by a statement of its role for action and resource', () => {
    const { guard, made } = aGuard(allow('dynamodb:GetItem', TABLE));

    guard.check(dynamo('GetItem', { TableName: 'directory', Key: {} }));

    expect(made).toEqual([
      { caller: 'reader', action: 'dynamodb:GetItem', resource: TABLE, isAllowed: true },
    ]);
  });

  it.each([
    ['another action', dynamo('PutItem', { TableName: 'directory', Item: {} })],
    ['another table', dynamo('GetItem', { TableName: 'integrations', Key: {} })],
    [
      'a batch with another table',
      dynamo('BatchGetItem', { RequestItems: { directory: {}, integrations: {} } }),
    ],
    ['another service', aRequest('AmazonSQS.SendMessage', { QueueUrl: 'http://x/0/deliveries' })],
  ])('is denied as by AWS, and noted: %s', (_, request) => {
    const { guard, made } = aGuard(allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem'], TABLE));

    expect(() => guard.check(request)).toThrow(
      /^reader is not authorized to perform: (\S+) on resource: \S+ because/,
    );
    expect(() => guard.check(request)).toThrow(AwsError);
    expect(made.at(-1)?.isAllowed).toBe(false);
  });

  it('in a batch of a queue needs the action of the single call', () => {
    const { guard } = aGuard(allow('sqs:SendMessage', QUEUE));

    guard.check(aRequest('AmazonSQS.SendMessageBatch', { QueueUrl: 'http://x/0/deliveries' }));

    expect(() =>
      guard.check(aRequest('AmazonSQS.DeleteMessageBatch', { QueueUrl: 'http://x/0/deliveries' })),
    ).toThrow('sqs:DeleteMessage');
  });

  it('in a transaction needs the action of each part', () => {
    const { guard } = aGuard(allow('dynamodb:PutItem', TABLE));
    const parts = [
      { Put: { TableName: 'directory', Item: {} } },
      { Update: { TableName: 'directory', Key: {} } },
    ];

    expect(() => guard.check(dynamo('TransactWriteItems', { TransactItems: parts }))).toThrow(
      'dynamodb:UpdateItem',
    );
    guard.check(dynamo('TransactWriteItems', { TransactItems: parts.slice(0, 1) }));
  });

  it('in a batch of statements needs the action of each on its table', () => {
    const { guard } = aGuard(allow('dynamodb:PartiQLDelete', TABLE));
    const statements = ['directory', 'integrations'].map((table) => ({
      Statement: `DELETE FROM "${table}" WHERE "pk" = ?`,
      Parameters: [{ S: 'a' }],
    }));

    expect(() => guard.check(dynamo('BatchExecuteStatement', { Statements: statements }))).toThrow(
      `dynamodb:PartiQLDelete on resource: ${OTHER_TABLE}`,
    );
    guard.check(dynamo('BatchExecuteStatement', { Statements: statements.slice(0, 1) }));
  });

  it('in a batch of statements needs an insert action for the keys it names', () => {
    const { guard } = aGuard(
      allow('dynamodb:PartiQLDelete', TABLE),
      allow('dynamodb:PartiQLInsert', OTHER_TABLE),
      allow('dynamodb:PartiQLInsert', TABLE, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*'] },
      }),
    );
    const insertion = (pk: string) =>
      dynamo('BatchExecuteStatement', {
        Statements: [
          {
            Statement: `INSERT INTO "directory" VALUE {'name': ?, 'pk': ?}`,
            Parameters: [{ S: 'USER#1' }, { S: pk }],
          },
        ],
      });

    guard.check(insertion('USER#2'));

    expect(() => guard.check(insertion('TOKEN#2'))).toThrow(
      `dynamodb:PartiQLInsert on resource: ${TABLE}`,
    );
  });

  it('in a selection needs an action of its own, on the table', () => {
    const { guard } = aGuard(allow('dynamodb:PartiQLSelect', TABLE));
    const selection = (table: string) =>
      dynamo('ExecuteStatement', {
        Statement: `SELECT "name" FROM "${table}" WHERE "pk" IN [?, ?]`,
        Parameters: [{ S: 'a' }, { S: 'b' }],
      });

    guard.check(selection('directory'));

    expect(() => guard.check(selection('other'))).toThrow('dynamodb:PartiQLSelect on resource');
  });

  describe('with a key', () => {
    const KEY = 'arn:aws:kms:us-east-1:000000000000:key/secrets';
    const decrypt = (EncryptionContext?: object, KeyId = KEY) =>
      aRequest('TrentService.Decrypt', { KeyId, EncryptionContext });
    const signing = { service: 'integrations', purpose: 'key-pair' };
    const { guard } = aGuard(
      allow('kms:Decrypt', KEY, {
        StringEquals: {
          'kms:EncryptionContext:service': 'integrations',
          'kms:EncryptionContext:purpose': 'key-pair',
        },
      }),
      allow('kms:Decrypt', `${KEY}-of-tables`, { StringEquals: { 'kms:ViaService': 'dynamodb' } }),
    );

    it('needs the encryption context of the statement, whatever else is in it', () => {
      guard.check(decrypt(signing));
      guard.check(decrypt({ ...signing, account: 'acme' }));
    });

    it.each([
      ['another context', decrypt({ ...signing, purpose: 'idempotency' })],
      ['a part of the context', decrypt({ service: 'integrations' })],
      ['no context', decrypt()],
      ['another key', decrypt(signing, `${KEY}-of-another`)],
      ['a key that another service may use for it', decrypt(signing, `${KEY}-of-tables`)],
      [
        'another action',
        aRequest('TrentService.Encrypt', { KeyId: KEY, EncryptionContext: signing }),
      ],
    ])('is denied as by AWS: %s', (_, request) => {
      expect(() => guard.check(request)).toThrow(
        expect.objectContaining({ code: 'AccessDeniedException', status: 400 }),
      );
    });
  });

  it('that creates a schedule passes a role, which must be allowed too', () => {
    const role = `${ACCOUNT}:role/scheduler`;
    const creation = aRequest(
      '',
      { GroupName: 'retries', Target: { RoleArn: role } },
      { path: '/schedules/id-1' },
    );
    const schedules = allow('scheduler:CreateSchedule', SCHEDULES);
    const passing = (service: string) =>
      allow('iam:PassRole', role, { StringEquals: { 'iam:PassedToService': service } });

    aGuard(schedules, passing('scheduler.amazonaws.com')).guard.check(creation);

    expect(() => aGuard(schedules).guard.check(creation)).toThrow('iam:PassRole');
    expect(() => aGuard(schedules, passing('lambda.amazonaws.com')).guard.check(creation)).toThrow(
      'iam:PassRole',
    );
    expect(() => aGuard(passing('scheduler.amazonaws.com')).guard.check(creation)).toThrow(
      'scheduler:CreateSchedule',
    );
  });

  it('sends a mail from the address that the role names', () => {
    const identities = 'arn:aws:ses:us-east-1:000000000000:identity/*';
    const mailFrom = (FromEmailAddress: string) =>
      aRequest(
        '',
        { FromEmailAddress, ConfigurationSetName: 'mail' },
        { path: '/v2/email/outbound-emails' },
      );
    const { guard } = aGuard(
      allow('ses:SendEmail', identities, { StringEquals: { 'ses:FromAddress': 'a@localhost' } }),
      allow('ses:SendEmail', 'arn:aws:ses:us-east-1:000000000000:configuration-set/mail'),
    );

    guard.check(mailFrom('a@localhost'));

    expect(() => guard.check(mailFrom('b@localhost'))).toThrow('ses:SendEmail');
  });

  it('reaches only the items whose keys the role may name', () => {
    const leading = (...keys: string[]) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    });
    const { guard } = aGuard(
      allow(['dynamodb:*'], TABLE, leading('USER#*')),
      allow(['dynamodb:*'], OTHER_TABLE),
    );
    const item = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
    const calls = (pk: string) => [
      dynamo('GetItem', { TableName: 'directory', Key: item(pk) }),
      dynamo('PutItem', { TableName: 'directory', Item: item(pk) }),
      dynamo('BatchGetItem', { RequestItems: { directory: { Keys: [item('USER#1'), item(pk)] } } }),
      dynamo('BatchWriteItem', {
        RequestItems: { directory: [{ PutRequest: { Item: item(pk) } }] },
      }),
      dynamo('Query', {
        TableName: 'directory',
        KeyConditionExpression: '#pk = :pk AND begins_with(sk, :s)',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: { ':pk': { S: pk } },
      }),
    ];

    for (const call of calls('USER#2')) guard.check(call);

    for (const call of calls('TOKEN#1')) expect(() => guard.check(call)).toThrow('not authorized');
  });
});
