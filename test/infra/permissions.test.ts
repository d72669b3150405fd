import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { roleGrants } from './role-grants.ts';
import { synthesiseWithMail } from './template.ts';

/** Functions that sign requests: they decrypt the key pairs that open webhook secrets. */
const SIGN = ['DeliverSlowly', 'DeliverWebhook', 'RetryHourly', 'SendApi'];

/** Functions that answer a repeated creation with the secret that the first one made. */
const REPEAT_SECRETS = ['ChangeApi'];

/** Functions that issue or revoke access tokens. The authorizer notes when a token was last used. */
const WRITE_TOKENS = ['AuthorizeRequest', 'ChangeApi'];

const WRITES = /^dynamodb:(?!.*(Get|Query|Describe|List))/;

describe.each(stageNames)('the permissions of the functions of %s', (stageName) => {
  const stage = synthesiseWithMail(stageName);
  const hasCanary = settingsFor(stageName)?.canary;
  const OPEN_SECRETS = [...SIGN, ...(hasCanary ? ['ReceiveCanary'] : [])].toSorted();
  const grants = Object.entries(roleGrants(stage)).flatMap(([role, resources]) =>
    Object.entries(resources).flatMap(([resource, actions]) =>
      actions.map((text) => {
        const [action = '', condition = ''] = text.split(' if ');
        return { name: role.replace(/\/Role$/, ''), resource, action, condition };
      }),
    ),
  );
  const namesOf = (found: typeof grants) => [...new Set(found.map(({ name }) => name))].toSorted();
  const ofKey = grants.filter(({ resource }) => resource === 'SecretsKey');
  const purposed = (purpose: string, ...actions: string[]) =>
    namesOf(
      ofKey.filter(
        ({ action, condition }) =>
          actions.includes(action) &&
          condition.includes(`"kms:EncryptionContext:purpose":"${purpose}"`),
      ),
    );

  it('let those decrypt that sign or verify requests or repeat a secret', () => {
    const decrypt = namesOf(ofKey.filter(({ action }) => !/Generate/.test(action)));

    expect(decrypt).toEqual([...OPEN_SECRETS, ...REPEAT_SECRETS].toSorted());
    expect(purposed('key-pair', 'kms:Decrypt')).toEqual(OPEN_SECRETS);
    expect(purposed('idempotency', 'kms:Decrypt', 'kms:Encrypt')).toEqual(REPEAT_SECRETS);
  });

  it('let no function that decrypts key pairs make them', () => {
    const make = namesOf(ofKey.filter(({ action }) => /Generate/.test(action)));

    expect(make.length).toBeGreaterThan(0);
    expect(make.filter((name) => OPEN_SECRETS.includes(name))).toEqual([]);
  });

  it('let those that sign read whether an endpoint confirms other events', () => {
    const query = grants.filter(
      ({ resource, action }) => resource === 'DeliveryLog' && action === 'dynamodb:Query',
    );

    expect(namesOf(query)).toEqual(expect.arrayContaining(SIGN));
  });

  it('let key pairs be read and added, and never replaced or removed', () => {
    const ofPairs = grants.filter(({ resource }) => resource === 'KeyPairs');

    expect(new Set(ofPairs.map(({ action }) => action))).toEqual(
      new Set(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PartiQLInsert']),
    );
    const adding = namesOf(ofPairs.filter(({ action }) => WRITES.test(action)));
    expect(adding).toEqual(['ChangeApi', ...(hasCanary ? ['SendCanary'] : [])]);
  });

  it('allow the key of the secrets for one purpose of this stage at a time', () => {
    const uses = ofKey.map(({ action, condition }) => ({ action, ...JSON.parse(condition) }));

    expect(uses).toEqual(
      uses.map(({ action }) => ({
        action: expect.stringMatching(
          /^kms:(Decrypt|Encrypt|GenerateDataKeyPairWithoutPlaintext)$/,
        ),
        StringEquals: {
          'kms:EncryptionContext:service': 'integrations',
          'kms:EncryptionContext:stage': stageName,
          'kms:EncryptionContext:purpose': expect.stringMatching(
            action.includes('Generate') ? /^key-pair$/ : /^(key-pair|idempotency)$/,
          ),
        },
      })),
    );
  });

  it('let the readers of streams decrypt them, through DynamoDB alone', () => {
    expect(grants.filter(({ resource }) => resource === 'Key')).toEqual(
      ['CountAttempts', 'AnnounceChanges'].map((name) => ({
        name,
        resource: 'Key',
        action: 'kms:Decrypt',
        condition: expect.stringMatching(
          /^{"StringEquals":{"kms:ViaService":.*"dynamodb\.".*"AWS::Region".*}}$/,
        ),
      })),
    );
  });

  it('let no other function write access tokens', () => {
    const write = grants.filter(
      ({ resource, action, condition }) =>
        resource === 'Directory' &&
        WRITES.test(action) &&
        (!condition.includes('dynamodb:LeadingKeys') || condition.includes('"TOKEN#*"')),
    );

    expect(namesOf(write)).toEqual(WRITE_TOKENS);
    expect(write.filter(({ name }) => name === 'AuthorizeRequest')).toMatchObject([
      { action: 'dynamodb:UpdateItem' },
    ]);
  });

  it('name the kinds of items in every grant of the directory', () => {
    const ofDirectory = grants.filter(({ resource }) => resource === 'Directory');

    expect(ofDirectory.filter(({ condition }) => !condition.includes('LeadingKeys'))).toEqual([]);
    expect(ofDirectory.length).toBeGreaterThan(0);
  });

  it('let the function that sends write only its counts of calls in the directory', () => {
    const counted = grants.filter(
      ({ name, resource }) => name === 'SendApi' && resource === 'Directory',
    );

    expect(counted.map(({ action, condition }) => [action, condition])).toEqual([
      ['dynamodb:UpdateItem', expect.stringContaining('["CALLS#*"]')],
    ]);
  });

  it('let the function that routes count what filters keep back, and no attempts', () => {
    const counted = grants.filter(
      ({ name, resource }) => name === 'RouteEvent' && resource === 'Statistics',
    );

    expect(counted.map(({ action, condition }) => [action, condition])).toEqual([
      ['dynamodb:UpdateItem', expect.stringContaining('["account#*"]')],
    ]);
  });

  it('allow the function of the reference its log, and nothing else', () => {
    const served = grants.filter(({ name }) => name === 'ServeReference');

    expect(served.map(({ resource }) => resource)).toEqual([
      'ServeReference/Log',
      'ServeReference/Log',
    ]);
  });

  it('let the function that answers reads change nothing but its log', () => {
    const read = grants.filter(
      ({ name, resource }) => name === 'ReadApi' && resource !== 'ReadApi/Log',
    );

    expect(
      read.filter(({ action }) => !/^dynamodb:(BatchGetItem|GetItem|Query)$/.test(action)),
    ).toEqual([]);
    expect(read.length).toBeGreaterThan(0);
  });

  it('let a function pass on the role of the schedules, to Scheduler alone', () => {
    const passed = grants.filter(({ action }) => action === 'iam:PassRole');

    expect(passed.length).toBeGreaterThan(0);
    expect(passed).toEqual(
      passed.map((grant) => ({
        ...grant,
        resource: 'RetrySchedules/Role',
        condition: '{"StringEquals":{"iam:PassedToService":"scheduler.amazonaws.com"}}',
      })),
    );
  });

  it('are of single actions on single resources of this stage', () => {
    const managed = grants.filter(({ resource }) => resource.startsWith('managed:'));
    const own = grants.filter((grant) => !managed.includes(grant));
    const schedules = `schedule/integrations-${stageName}/*`;
    // SES checks identities of the sender and of recipients.
    const fromOneAddress = own.filter(({ condition }) => condition.includes('ses:FromAddress'));

    expect(own.filter(({ action }) => !/^[a-z]+:[A-Z][A-Za-z]+$/.test(action))).toEqual([]);
    expect(
      own.filter(({ resource }) => resource.includes('*') && !resource.endsWith(schedules)),
    ).toEqual(fromOneAddress);
    expect(namesOf(managed)).toEqual([
      ...(stageName === 'prod' ? ['Backups', 'Release'] : []),
      'ServiceApi/Api/CloudWatchRole',
    ]);
  });
});
