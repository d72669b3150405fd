import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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

/** What the command line of CDK says, whether it succeeds or fails. No command here reaches AWS. */
const cdk = async (...words: string[]): Promise<string[]> => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['node_modules/aws-cdk/bin/cdk', ...words, '--no-color'],
    { env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' } },
  ).catch((failed: Said) => failed);
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '');
};

describe('The command line of CDK', () => {
  let assembly: string;
  let saidBySynth: string[];

  beforeAll(async () => {
    assembly = await mkdtemp(join(tmpdir(), 'assembly-'));
    saidBySynth = await cdk('synth', '--quiet', '-c', 'stage=prod', '--output', assembly);
  });

  afterAll(() => rm(assembly, { recursive: true }));

  it('has nothing to remark about what it synthesises', () => {
    expect(saidBySynth).toEqual([
      expect.stringMatching(/^Successfully synthesized to /),
      expect.stringMatching(/^Supply a stack id \(integrations-prod-state, .*\) to display/),
    ]);
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
      env: {
        ...process.env,
        CDK_OUTDIR: assembly,
        CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] }),
        CDK_VALIDATION: 'false',
      },
    });

    const file = join(assembly, 'integrations-local-service.template.json');
    const template = await readFile(file, 'utf8');
    expect(template).not.toContain('AWS::CloudWatch::Alarm');
    expect(template).not.toContain('AWS::WAFv2::WebACL');
    expect(template).toContain('"ATTEMPT_LINES": "undelivered"');
  });
});

describe('The feature flags', () => {
  it('are as CDK recommends, but the state stack cannot drop a table that the service stack uses', () => {
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
