import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { roleGrants } from './role-grants.ts';
import {
  type Json,
  type Properties,
  type Resource,
  SynthesisedStage,
  synthesise,
} from './template.ts';

describe.each(stageNames)('the tables of %s', (stageName) => {
  const stage = synthesise(stageName);
  const tables = stage.all(table);
  const [key, secretsKey] = stage.all('AWS::KMS::Key');

  it('have these keys, recovery, expiry and streams', () => {
    const facts = tables.map(({ path, properties }) => {
      const { PointInTimeRecoverySpecification: recovery, TimeToLiveSpecification: ttl } =
        properties as Record<string, Properties>;
      return [
        path,
        (properties.KeySchema as Properties[]).map(({ AttributeName }) => AttributeName).join(),
        recovery?.PointInTimeRecoveryEnabled === true ? 'recovered' : 'lost',
        ttl ? [ttl.Enabled, ttl.AttributeName] : 'kept',
        properties.StreamSpecification ?? 'no stream',
      ];
    });

    const expiring = [true, 'expiresAt'];
    const stream = { StreamViewType: 'NEW_AND_OLD_IMAGES' };
    // The log, its statistics and its index expire. Of the pending events only the free slots expire.
    expect(facts).toEqual([
      ['Directory', 'pk,sk', 'recovered', expiring, 'no stream'],
      ['Integrations', 'account,id', 'recovered', 'kept', stream],
      ['PendingEvents', 'partition,entry', 'recovered', expiring, 'no stream'],
      ['DeliveryLog', 'partition,entry', 'lost', expiring, stream],
      ['Statistics', 'integration,hour', 'lost', expiring, 'no stream'],
      ['DeliveryIndex', 'partition,entry', 'lost', expiring, 'no stream'],
      ['Changes', 'account,entry', 'recovered', expiring, 'no stream'],
      ['KeyPairs', 'purpose,id', 'recovered', 'kept', 'no stream'],
    ]);
  });

  it('are each billed by use, and encrypted with our own key', () => {
    const billing = tables.map(({ properties }) => {
      const { SSEEnabled, SSEType, KMSMasterKeyId } = properties.SSESpecification as Properties;
      return [properties.BillingMode, SSEEnabled, SSEType, stage.pathOf(KMSMasterKeyId)];
    });

    expect(billing).toEqual(tables.map(() => ['PAY_PER_REQUEST', true, 'KMS', 'Key']));
  });

  it('are not encrypted with the key of the secrets', () => {
    expect([key?.path, secretsKey?.path]).toEqual(['Key', 'SecretsKey']);
    expect(secretsKey?.properties.EnableKeyRotation).toBe(true);
    expect(key?.properties.EnableKeyRotation ?? false).toBe(stageName === 'prod');
  });

  it('have secrets whose key policy alone permits no use', () => {
    const policy = secretsKey?.properties.KeyPolicy as { Statement: Properties[] } | undefined;

    expect(policy?.Statement.map(({ Principal }) => JSON.stringify(Principal))).toEqual([
      expect.stringMatching(/:iam::.*AWS::AccountId.*:root/),
    ]);
  });

  it('share their key with those who use them through DynamoDB', () => {
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

const REPLICA = `arn:aws:kms:eu-central-1:111122223333:key/mrk-${'0123456789abcdef'.repeat(2)}`;

describe('the key of the secrets', () => {
  it.each(stageNames)('of %s can have replicas in other regions', (name) => {
    expect(synthesise(name).at('SecretsKey').MultiRegion).toBe(true);
  });

  it('is the given one of the stage’s region, and no other is made', () => {
    const stage = new SynthesisedStage('prod', { secretsKeyArn: REPLICA });
    const usesOfKeys = (of: SynthesisedStage, key: string) =>
      Object.entries(roleGrants(of)).flatMap(([role, { [key]: uses = [] }]) =>
        uses.map((use) => [role, use]),
      );

    expect(stage.all('AWS::KMS::Key').map(({ path }) => path)).toEqual(['Key']);
    expect(new Set(Object.values(stage.variable('SECRETS_KEY_ARN')))).toEqual(new Set([REPLICA]));
    expect(usesOfKeys(stage, REPLICA)).toEqual(usesOfKeys(synthesise('prod'), 'SecretsKey'));
    expect(stage.rules.secretsKeyArnRegion).toMatchObject({
      Assertions: [{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-central-1'] } }],
    });
  });

  it.each([
    ['prod', 'alias/secrets'],
    ['prod', REPLICA.replace(':kms:', ':sqs:')],
    ['local', REPLICA],
  ])('cannot be given to %s as %s', (stage, secretsKeyArn) => {
    expect(() => settingsFor(stage, { secretsKeyArn })).toThrow(/secretsKeyArn must|its own key/);
  });
});

const table = 'AWS::DynamoDB::Table';
const users = 'AWS::Cognito::UserPool';
const vault = 'AWS::Backup::BackupVault';
const keepsData = ['AWS::KMS::Key', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue', table, users, vault];

const ofData = (stage: SynthesisedStage): Resource[] =>
  stage.all().filter(({ type }) => keepsData.includes(type));

const fates = (resources: readonly Resource[]) => [
  ...new Set(
    resources.map(({ deletionPolicy, updateReplacePolicy }) =>
      [deletionPolicy, updateReplacePolicy].join(', '),
    ),
  ),
];

const protections = (stage: SynthesisedStage): Set<Json | undefined> =>
  new Set([
    ...stage.all(table).map(({ properties }) => properties.DeletionProtectionEnabled),
    ...stage.all(users).map(({ properties }) => properties.DeletionProtection === 'ACTIVE'),
    ...stage.stacks.map(({ terminationProtection }) => terminationProtection),
  ]);

describe('taking a stage down', () => {
  const prod = synthesise('prod');

  it('leaves the tables, keys, users, backups, queues and logs of prod', () => {
    expect(fates(ofData(prod))).toEqual(['RetainExceptOnCreate, Retain']);
  });

  it('is refused by the tables, users and stacks of prod', () => {
    expect(protections(prod)).toEqual(new Set([true]));
  });

  it.each(['local', 'dev'] as const)('leaves nothing of %s, and is not refused', (name) => {
    const stage = synthesise(name);

    expect(fates(ofData(stage))).toEqual(['Delete, Delete']);
    expect(protections(stage)).toEqual(new Set([false]));
  });
});

/** What API Gateway writes logs with, in all of an account and region. */
const OF_THE_REGION = ['ServiceApi/Api/Account', 'ServiceApi/Api/CloudWatchRole'];

/** Properties that give a resource its name in AWS, each the whole name or a part of it. */
const NAME =
  /^(BackupVault|Bucket|Function|Group|LogGroup|Policy|Pool|Queue|Role|Table|UserPool)?Name$/;

const namesOf = ({ path, properties }: Resource) =>
  Object.entries(properties).flatMap(([property, name]) =>
    NAME.test(property) ? [[path, property, name]] : [],
  );

describe('a first deployment of prod that fails', () => {
  const prod = synthesise('prod');
  const kept = [...prod.all(), ...prod.addedByTheCdk()].filter(({ deletionPolicy = 'Delete' }) =>
    deletionPolicy.startsWith('Retain'),
  );

  it('leaves nothing but the role of the region', () => {
    const left = kept.filter(({ deletionPolicy }) => deletionPolicy !== 'RetainExceptOnCreate');

    expect(left.map(({ path }) => path).toSorted()).toEqual(OF_THE_REGION);
  });

  it('leaves only the schedule group’s name to the next deployment', () => {
    const stackId = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(kept.flatMap(namesOf)).toEqual([
      ['Backups/Vault', 'BackupVaultName', { 'Fn::Join': ['', ['integrations-', stackId]] }],
      ['RetrySchedules/Group', 'Name', 'integrations-prod'],
      // The id of the API is another at each creation.
      [
        'ServiceApi/ExecutionLog',
        'LogGroupName',
        expect.objectContaining({ 'Fn::Join': expect.anything() }),
      ],
    ]);
  });

  it('can be rolled back until the tables are made, then their backups', () => {
    const [needs = new Map()] = prod.needs();
    const tables = prod.all(table).map(({ logicalId }) => logicalId);
    const backups = prod.all('AWS::Backup::BackupSelection').map(({ logicalId }) => logicalId);
    const others = [...needs.keys()].filter((id) => ![...tables, ...backups].includes(id));

    expect(tables).toHaveLength(8);
    for (const id of tables) expect(needs.get(id)).toEqual(new Set(others));
  });
});
