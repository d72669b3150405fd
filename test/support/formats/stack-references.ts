import type { StageName } from '../../../lib/stage-settings.ts';
import { compose, type StageChoices } from '../../infra/template.ts';

const CERTIFICATE = 'certificate/1f0c6b3e-7a52-4d2b-9c11-0a';

/**
 * What a stage can be deployed with, as far as the two stacks refer to each other. `everything` has all
 * options that add something.
 */
export const DEPLOYMENTS = {
  dev: ['dev', {}],
  prod: ['prod', {}],
  'prod without a console': ['prod', { hasConsole: false }],
  'prod without a user pool': ['prod', { hasUserPool: false }],
  'prod with a given key': [
    'prod',
    { secretsKeyArn: `arn:aws:kms:eu-west-1:111122223333:key/mrk-${'0'.repeat(32)}` },
  ],
  'prod with everything': [
    'prod',
    {
      attemptLines: 'all',
      backupCopyVaultArn: 'arn:aws:backup:eu-central-1:111122223333:backup-vault:copies',
      batchingWindow: '1',
      canary: 'true',
      concurrency: '200',
      consoleLinkRoles: 'arn:aws:iam::444455556666:role/platform',
      dashboard: 'true',
      embedIn: ['https://app.example.com'],
      mailFrom: 'webhooks@example.com',
      producers: '444455556666',
      provisioned: '40',
      release: 'at-once',
      runbookUrl: 'https://example.com/on-call',
      sendTraceparent: 'true',
      tracing: 'true',
      notifications: {
        emails: ['on-call@example.com'],
        other: { emails: ['team@example.com'] },
        monthlyBudget: 200,
      },
      apiDomain: {
        name: 'api.example.com',
        certificateArn: `arn:aws:acm:eu-west-1:111122223333:${CERTIFICATE}`,
      },
      consoleDomain: {
        name: 'console.example.com',
        certificateArn: `arn:aws:acm:us-east-1:111122223333:${CERTIFICATE}`,
      },
    },
  ],
  'prod with little': ['prod', { canary: 'false', dashboard: 'false' }],
} as const satisfies Record<string, readonly [StageName, StageChoices]>;

export interface StackReferences {
  /** Of the state stack. */
  readonly exports: readonly string[];
  /** Of the service stack. */
  readonly imports: readonly string[];
}

const stackReferencesOf = (stage: StageName, overrides: StageChoices): StackReferences => {
  const [state, service] = compose(stage, overrides).synthesiseTemplates();
  const imports = JSON.stringify(service).matchAll(/"Fn::ImportValue":"([^"]+)"/g);
  return {
    exports: Object.values(state?.Outputs ?? {})
      .flatMap(({ Export }) => Export?.Name ?? [])
      .toSorted(),
    imports: [...new Set([...imports].map(([, name = '']) => name))].toSorted(),
  };
};

/** For each deployment by its name. */
export const allStackReferences = (): Readonly<Record<string, StackReferences>> =>
  Object.fromEntries(
    Object.entries(DEPLOYMENTS).map(([name, [stage, overrides]]) => [
      name,
      stackReferencesOf(stage, overrides),
    ]),
  );
