import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Without the credentials of who runs the tests. */
const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))),
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  ...more,
});

/** What the command line of CDK says, whether it succeeds or fails. No command here reaches AWS. */
const cdk = async (...words: string[]): Promise<string[]> => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', ...words, '--no-color'],
    { env: environment({ CDK_DISABLE_CLI_TELEMETRY: 'true' }) },
  ).catch((failed: Said) => failed);
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '');
};

describe('The command line of CDK', () => {
  let assembly: string;
  let saidBySynth: string[];

  beforeAll(async () => {
    assembly = await mkdtemp(join(tmpdir(), 'assembly-'));
    const options = ['stage=prod', 'account=111122223333', 'region=eu-west-1'];
    const context = options.flatMap((option) => ['-c', option]);
    saidBySynth = await cdk('synth', '--quiet', ...context, '--output', assembly);
  });

  afterAll(() => rm(assembly, { recursive: true }));

  it('has nothing to remark about what it synthesises', () => {
    expect(saidBySynth).toEqual([
      expect.stringMatching(/^Successfully synthesized to /),
      expect.stringMatching(/^Supply a stack id \(integrations-prod-state, .*\) to display/),
    ]);
  });

  it('deploys each stack to the account and region of the stage, with tags', async () => {
    const { artifacts } = JSON.parse(await readFile(join(assembly, 'manifest.json'), 'utf8'));

    for (const stack of ['integrations-prod-state', 'integrations-prod-service']) {
      expect(artifacts[stack]).toMatchObject({
        environment: 'aws://111122223333/eu-west-1',
        // CloudFormation gives them to each resource that can have tags.
        properties: { tags: { service: 'integrations', stage: 'prod' } },
      });
    }
  });

  it('tells who deploys without --all what to type', async () => {
    const said = await cdk('deploy', '--app', assembly);

    expect(said.join('\n')).toContain('or specify `--all`');
  });
});

describe('The program of the CDK', () => {
  let assembly: string;

  beforeAll(async () => {
    assembly = await mkdtemp(join(tmpdir(), 'assembly-'));
  });

  afterAll(() => rm(assembly, { recursive: true }));

  it('hears what -c chooses', async () => {
    const context = {
      stage: 'local',
      alarms: 'false',
      webAcl: 'false',
      attemptLines: 'undelivered',
    };

    await promisify(execFile)(process.execPath, ['bin/app.ts'], {
      env: environment({
        CDK_OUTDIR: assembly,
        CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] }),
        CDK_VALIDATION: 'false',
      }),
    });

    const file = join(assembly, 'integrations-local-service.template.json');
    const template = await readFile(file, 'utf8');
    expect(template).not.toContain('AWS::CloudWatch::Alarm');
    expect(template).not.toContain('AWS::WAFv2::WebACL');
    expect(template).toContain('"ATTEMPT_LINES": "undelivered"');
  });

  it('reads the deployments, and refuses credentials of another account', async () => {
    const file = join(assembly, 'deployments.json');
    await writeFile(file, '{ "prod": { "account": "111122223333", "region": "eu-west-1" } }');

    const refused = promisify(execFile)(process.execPath, ['bin/app.ts'], {
      env: environment({
        CDK_OUTDIR: join(assembly, 'refused'),
        CDK_CONTEXT_JSON: '{ "stage": "prod" }',
        CDK_DEFAULT_ACCOUNT: '444455556666',
        DEPLOYMENTS_FILE: file,
      }),
    });

    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr:
        'Stage "prod" is refused: it belongs to AWS account 111122223333, but the credentials are of 444455556666.\n',
    });
  });
});

describe('The feature flags', () => {
  it('are as CDK recommends, but the state stack drops no table in use', () => {
    const recommended = Object.entries(recommendedFlags);
    const ours = new Map(Object.entries<unknown>(cdkJson.context));

    expect([...ours.keys()].toSorted()).toEqual(recommended.map(([name]) => name).toSorted());
    expect(
      recommended.flatMap(([name, value]) =>
        isDeepStrictEqual(ours.get(name), value) ? [] : [[name, ours.get(name)]],
      ),
    ).toEqual([['@aws-cdk/core:defaultCrossStackReferences', 'strong']]);
  });
});
