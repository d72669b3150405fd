import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING_ROLE, lambda, startTestRun, type TestRun } from './support/assembly.ts';

const HEAR = `export const handler = async (event) => {
  console.log('heard ' + JSON.stringify(event));
};`;

const hear = { 'Fn::GetAtt': ['Hear', 'Arn'] };

const schedule = (RoleArn: unknown, Input: string) => ({
  Type: 'AWS::Scheduler::Schedule',
  Properties: {
    ScheduleExpression: 'rate(5 minutes)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: hear, RoleArn, Input },
  },
});

describe('a function of the embedded run', () => {
  let run: TestRun;

  beforeAll(async () => {
    run = await startTestRun({
      bundles: { hear: HEAR },
      resources: {
        Hear: lambda('hear'),
        Powerless: { Type: 'AWS::IAM::Role', Properties: {} },
        Refused: schedule({ 'Fn::GetAtt': ['Powerless', 'Arn'] }, '{"from":"powerless"}'),
        Tick: schedule(EVERYTHING_ROLE, '{"from":"schedule"}'),
      },
    });
  });
  afterAll(() => run?.stop());

  it('is called by a schedule of the template, whose role allows it', async () => {
    const log = () => readFileSync(join(run.stateDirectory, 'logs', 'hear.log'), 'utf8');

    await expect.poll(log).toContain('heard {"from":"schedule"}');
    expect(log()).not.toContain('powerless');
  });
});
