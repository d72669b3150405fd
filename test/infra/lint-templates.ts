/**
 * Holds the templates of all stages, with what a deployment may choose, against the rules of cfn-lint:
 * what CloudFormation and each service say about their properties, in all regions.
 *
 *     npx node test/infra/lint-templates.ts
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { REGION_GAPS } from '../../lib/region-gaps.ts';
import type { StageName } from '../../lib/stage-settings.ts';
import { pythonTools } from '../support/python/python-environment.ts';
import { synthesisePipeline } from './pipeline-template.ts';
import { compose, type StageChoices } from './template.ts';

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

const consoleLinkRoles = 'arn:aws:iam::444455556666:role/platform';

const secretsKeyArn = `arn:aws:kms:eu-west-1:111122223333:key/mrk-${'0'.repeat(32)}`;

const CHOSEN: readonly (readonly [StageName, StageChoices])[] = [
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
  ['dev', { hasUserPool: false, consoleLinkRoles, embedIn: ['https://app.example.com'] }],
  ['prod', {}],
  [
    'prod',
    {
      attemptLines: 'all',
      tracing: 'true',
      release: 'at-once',
      concurrency: '200',
      consoleLinkRoles,
      producers: '444455556666',
      provisioned: '40',
      qualifier: 'acme',
      context: { '@aws-cdk/core:permissionsBoundary': { name: 'developers' } },
      consoleDomain,
      notifications: costsByMail,
      backupCopyVaultArn,
      secretsKeyArn,
    },
  ],
];

/** The options that need the resource types of a service. */
const OPTIONS: Readonly<Record<string, keyof typeof REGION_GAPS>> = {
  Budgets: 'monthlyBudget',
  CloudFront: 'console',
  Cognito: 'console',
  SES: 'mailFrom',
};

/** A region lacks a type: what an option needs belongs to `REGION_GAPS`, anything else is a finding. */
const GAP = /E3006:Resource type 'AWS::(\w+)::\w+' does not exist in '([\w-]+)'/;

/** By rule, why its findings are none. */
const WRONG_FOR_US = {
  W3005: 'CDK says a dependency twice: by name, and by a reference. CloudFormation does not mind.',
};

const directory = await mkdtemp(join(tmpdir(), 'linted-'));
try {
  const files = new Map<string, string>();
  for (const [index, [stage, overrides]] of CHOSEN.entries()) {
    const { stacks, synthesiseTemplates } = compose(stage, overrides);
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
  const lint = promisify(execFile)(
    join(await pythonTools(), 'cfn-lint'),
    [
      ...['--format', 'parseable', '--include-checks', 'I'],
      ...['--ignore-checks', ...Object.keys(WRONG_FOR_US)],
      ...['--regions', 'ALL_REGIONS'],
      ...['--template', ...files.values()],
    ],
    { cwd: directory, maxBuffer: 64 * 1024 * 1024 },
  );
  // With findings, cfn-lint ends with another code than 0.
  const { stdout } = await lint.catch((end: { stdout: string }) => {
    if (!end.stdout) throw end;
    return end;
  });
  const lines = stdout.split('\n').filter(Boolean);
  const gaps = lines.flatMap((line) => {
    const [, service = '', region = ''] = GAP.exec(line) ?? [];
    const option = OPTIONS[service];
    return option === undefined ? [] : [{ line, option, region }];
  });
  const regionsOf = (option: string) =>
    [...new Set(gaps.flatMap((gap) => (gap.option === option ? gap.region : [])))].toSorted();
  const found = Object.fromEntries(
    Object.keys(REGION_GAPS).map((option) => [option, regionsOf(option)]),
  );
  const findings = lines.filter((line) => !gaps.some((gap) => gap.line === line));
  if (!isDeepStrictEqual(found, REGION_GAPS)) {
    findings.push(`REGION_GAPS of lib/region-gaps.ts should be ${JSON.stringify(found)}`);
  }
  if (findings.length === 0) console.log(`cfn-lint finds nothing in ${files.size} templates.`);
  else console.error(findings.join('\n'));
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true });
}
