/**
 * Holds the templates of all stages, with what a deployment may choose, against the rules of cfn-lint:
 * what CloudFormation and each service say about their properties.
 *
 *     npm run lint:templates
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StageName } from '../../lib/stage-settings.ts';
import { pythonTools } from '../support/python/python-environment.ts';
import { synthesisePipeline } from './pipeline-template.ts';
import { compose, type StageWishes } from './template.ts';

const consoleDomain = {
  name: 'console.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0123',
};
const apiDomain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0123',
};
const existingTopic = { topicArn: 'arn:aws:sns:eu-west-1:111122223333:on-call' };
const costsByMail = { emails: ['on-call@example.com'], monthlyBudget: 200 };

const backupCopyVaultArn = 'arn:aws:backup:eu-central-1:111122223333:backup-vault:copies';

const secretsKeyArn = `arn:aws:kms:eu-west-1:111122223333:key/mrk-${'0'.repeat(32)}`;

const CHOSEN: readonly (readonly [StageName, StageWishes])[] = [
  ['local', {}],
  [
    'local',
    { webAcl: 'false', alarms: 'false', hourSeconds: 10, consoleOrigin: 'http://localhost:4080' },
  ],
  ['dev', {}],
  [
    'dev',
    {
      webAcl: 'false',
      dashboard: 'true',
      consoleDomain,
      apiDomain,
      notifications: existingTopic,
    },
  ],
  ['dev', { hasConsole: false }],
  ['prod', {}],
  [
    'prod',
    {
      attemptLines: 'all',
      tracing: 'true',
      release: 'at-once',
      consoleDomain,
      notifications: costsByMail,
      backupCopyVaultArn,
      secretsKeyArn,
    },
  ],
];

/** What a service can do differs from region to region. */
const REGIONS = ['us-east-1', 'eu-west-1'];

/** By rule, why its findings are none. */
const WRONG_FOR_US = {
  W3005: 'CDK says a dependency twice: by name, and by a reference. CloudFormation does not mind.',
};

const directory = await mkdtemp(join(tmpdir(), 'linted-'));
try {
  const files = new Map<string, string>();
  for (const [index, [stage, wishes]] of CHOSEN.entries()) {
    const { stacks, synthesiseTemplates } = compose(stage, wishes);
    for (const [position, template] of synthesiseTemplates().entries()) {
      const name = `${index}-${stacks[position]?.stackName}.template.json`;
      const text = JSON.stringify(template, null, 1);
      // The state stack has few choices: most of its templates are the same.
      if (!files.has(text)) files.set(text, name);
    }
  }
  const pipeline = synthesisePipeline({ stage: 'dev', repository: 'acme/integrations' });
  files.set(JSON.stringify(pipeline, null, 1), 'pipeline.template.json');
  for (const [text, name] of files) await writeFile(join(directory, name), text);
  await promisify(execFile)(
    join(await pythonTools(), 'cfn-lint'),
    [
      ...['--format', 'parseable', '--include-checks', 'I'],
      ...['--ignore-checks', ...Object.keys(WRONG_FOR_US)],
      ...['--regions', ...REGIONS],
      ...['--template', ...files.values()],
    ],
    { cwd: directory, maxBuffer: 64 * 1024 * 1024 },
  );
  console.log(`cfn-lint finds nothing in ${files.size} templates.`);
} catch (fault) {
  // Findings are what cfn-lint prints, which then ends with another code than 0.
  const { message, stdout } = fault as Error & { readonly stdout?: string };
  console.error(stdout || message);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true });
}
