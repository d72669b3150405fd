import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Properties, synthesise } from './template.ts';

const table = 'AWS::DynamoDB::Table';
const names = [
  'Directory',
  'Integrations',
  'PendingEvents',
  'DeliveryLog',
  'Statistics',
  'KeyPairs',
];

describe.each(stageNames)('the tables of %s', (stageName) => {
  const stage = synthesise(stageName);
  const tables = stage.all(table);
  const [key, secretsKey] = stage.all('AWS::KMS::Key');

  it('are the six of the design, with the keys the programs use', () => {
    const keys = tables.map(({ path, properties }) => [
      path,
      ...(properties.KeySchema as Properties[]).map(({ AttributeName }) => AttributeName),
    ]);

    expect(keys).toEqual([
      ['Directory', 'pk', 'sk'],
      ['Integrations', 'account', 'id'],
      ['PendingEvents', 'partition', 'entry'],
      ['DeliveryLog', 'partition', 'entry'],
      ['Statistics', 'integration', 'hour'],
      ['KeyPairs', 'purpose', 'id'],
    ]);
  });

  it('can each be restored to any second of the last weeks, but for the log and its statistics, which expire', () => {
    const restorable = tables.filter(
      ({ properties }) =>
        (properties.PointInTimeRecoverySpecification as Properties | undefined)
          ?.PointInTimeRecoveryEnabled === true,
    );

    expect(restorable.map(({ path }) => path)).toEqual([
      'Directory',
      'Integrations',
      'PendingEvents',
      'KeyPairs',
    ]);
  });

  it('are each encrypted with our own key', () => {
    const encrypted = tables.map(({ properties }) => {
      const { SSEEnabled, SSEType, KMSMasterKeyId } = properties.SSESpecification as Properties;
      return [SSEEnabled, SSEType, stage.pathOf(KMSMasterKeyId)];
    });

    expect(encrypted).toEqual(names.map(() => [true, 'KMS', 'Key']));
  });

  it('are encrypted with a key that is rotated', () => {
    expect(key?.properties.EnableKeyRotation).toBe(true);
  });

  it('are not encrypted with the key of the secrets, which is rotated too', () => {
    expect([key?.path, secretsKey?.path]).toEqual(['Key', 'SecretsKey']);
    expect(secretsKey?.properties.EnableKeyRotation).toBe(true);
  });

  it('have secrets whose key nobody may use by its key policy alone', () => {
    const policy = secretsKey?.properties.KeyPolicy as { Statement: Properties[] } | undefined;

    expect(policy?.Statement.map(({ Principal }) => JSON.stringify(Principal))).toEqual([
      expect.stringMatching(/:iam::.*AWS::AccountId.*:root/),
    ]);
  });

  it('cost what is used, with no capacity to plan', () => {
    expect(tables.map(({ properties }) => properties.BillingMode)).toEqual(
      names.map(() => 'PAY_PER_REQUEST'),
    );
  });

  it('forget old directory records, free slots, the delivery log and its statistics by themselves', () => {
    const expiring = tables.flatMap(({ path, properties }) => {
      const ttl = properties.TimeToLiveSpecification as Properties | undefined;
      return ttl ? [[path, ttl.Enabled, ttl.AttributeName]] : [];
    });

    expect(expiring).toEqual([
      ['Directory', true, 'expiresAt'],
      // Of the slots alone: an item of a pending event has no such attribute.
      ['PendingEvents', true, 'expiresAt'],
      ['DeliveryLog', true, 'expiresAt'],
      ['Statistics', true, 'expiresAt'],
    ]);
  });

  it('tell the changes of the delivery log alone, with the items before and after', () => {
    const streams = tables.flatMap(({ path, properties }) =>
      properties.StreamSpecification ? [[path, properties.StreamSpecification]] : [],
    );

    expect(streams).toEqual([['DeliveryLog', { StreamViewType: 'NEW_AND_OLD_IMAGES' }]]);
  });

  it('share their key with whoever may use them, through DynamoDB of this account only', () => {
    const policy = key?.properties.KeyPolicy as { Statement: Properties[] } | undefined;
    const open = (policy?.Statement ?? []).filter(
      ({ Principal }) => (Principal as Properties).AWS === '*',
    );

    expect(open.map(({ Condition }) => Condition)).toEqual([
      {
        StringEquals: {
          'kms:CallerAccount': { Ref: 'AWS::AccountId' },
          'kms:ViaService': {
            'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']],
          },
        },
      },
    ]);
  });
});
