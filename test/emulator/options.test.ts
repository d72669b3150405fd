import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { describe, expect, inject, it } from 'vitest';
import { synthesise } from '../infra/template.ts';
import {
  cdk,
  context,
  DEPLOYMENT_MS,
  deniedCalls,
  resourcesOf,
} from '../support/emulator/commands.ts';
import { outputsOf } from '../support/emulator/deployed-stage.ts';
import { awsClientConfigOf } from '../support/journey/platform-of.ts';

const place = inject('place');
const ACCOUNT = '000000000000';

const certificateIn = (region: string) =>
  `arn:aws:acm:${region}:${ACCOUNT}:certificate/12345678-1234-1234-1234-123456789012`;

/** Every option that adds resources which the emulator has, and is off in prod. */
const PROD = context({
  stage: 'prod',
  account: ACCOUNT,
  region: place.region,
  alarmEmail: 'alarms@example.com',
  apiDomain: 'api.example.com',
  apiCertificateArn: certificateIn(place.region),
  backupCopyVaultArn: `arn:aws:backup:eu-central-1:${ACCOUNT}:backup-vault:copies`,
  consoleDomain: 'console.example.com',
  consoleCertificateArn: certificateIn('us-east-1'),
  monthlyBudget: 200,
  otherAlarmEmail: 'team@example.com',
  tracing: true,
});

/** Synthesises nothing: takes what was deployed last. */
const LAST_ASSEMBLY = ['--app', process.env.CDK_OUTPUT ?? ''];

describe('Stage prod with every option', () => {
  it('is deployed, and has its outputs', { timeout: DEPLOYMENT_MS }, async () => {
    const { code, output } = await cdk(['deploy', '--all', ...PROD]);

    expect(code, output).toBe(0);
    expect(await outputsOf(place, 'prod')).toMatchObject({
      AlarmTopicArn: expect.stringMatching(/^arn:aws:sns:/),
      ApiDomainTarget: expect.any(String),
      ApiUrl: 'https://api.example.com',
      BackupVaultName: expect.stringMatching(/^integrations-/),
      CanaryAccount: '_canary',
      ConsoleUrl: 'https://console.example.com',
      DashboardUrl: expect.stringMatching(/^https:/),
    });
  });

  it('differs in nothing from a second synthesis', { timeout: DEPLOYMENT_MS }, async () => {
    // A folder of its own: no file of the first synthesis is used.
    const folder = await mkdtemp(join(tmpdir(), 'assembly-'));

    const words = ['diff', '--all', '--fail', '--method=template', '--output', folder];
    const { code, output } = await cdk([...words, ...PROD]);

    await rm(folder, { recursive: true });
    expect(code, output).toBe(0);
    expect(output).toContain('Number of stacks with differences: 0');
  });

  it('is destroyed only when its protection is off, and keeps data', {
    timeout: DEPLOYMENT_MS,
  }, async () => {
    const { stacks = [], tables } = await resourcesOf('prod');
    const words = ['destroy', '--all', '--force', ...LAST_ASSEMBLY];
    // While the stage is destroyed, an event of its canary can be under way.
    const { denied } = await deniedCalls('prod');

    const refused = await cdk(words);
    const client = new CloudFormationClient(awsClientConfigOf(place));
    for (const StackName of stacks) {
      const EnableTerminationProtection = false;
      await client.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }),
      );
    }
    const { code, output } = await cdk(words);

    expect(denied.join('\n')).toBe('');
    expect(refused.output).toContain('TerminationProtection is enabled');
    expect(code, output).toBe(0);
    expect(tables).toHaveLength(synthesise('prod').all('AWS::DynamoDB::Table').length);
    const left = await resourcesOf('prod');
    expect(left).toMatchObject({ tables });
    expect(left).not.toHaveProperty('stacks');
    expect(left).not.toHaveProperty('functions');
  });
});

describe('The roles of the pipeline', () => {
  it('are deployed, for a provider that the account has', { timeout: DEPLOYMENT_MS }, async () => {
    const app = ['--app', 'node bin/pipeline-role.ts'];
    const options = { stage: 'dev', repository: 'acme/integrations', githubProvider: 'existing' };
    const { code, output } = await cdk(['deploy', ...app, ...context(options)]);
    const destroyed = await cdk(['destroy', '--force', ...LAST_ASSEMBLY]);

    expect(code, output).toBe(0);
    expect(output).toMatch(/DeployRoleArn = arn:aws:iam::/);
    expect(output).toMatch(/DiffRoleArn = arn:aws:iam::/);
    expect(destroyed.code, destroyed.output).toBe(0);
  });
});
