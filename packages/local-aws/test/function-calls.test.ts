import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING_ROLE, lambda, startTestRun, type TestRun } from './support/assembly.ts';

const HEAR = `export const handler = async (event) => {
  console.log('heard ' + JSON.stringify(event));
  if (event.body === 'break') throw new Error('broken');
  return { statusCode: 200, body: JSON.stringify([event.headers?.['x-a'], event.body, event.isBase64Encoded]) };
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
        Url: {
          Type: 'AWS::Lambda::Url',
          Properties: { AuthType: 'NONE', TargetFunctionArn: hear },
        },
      },
      outputs: { Url: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } } },
    });
  });
  afterAll(() => run?.stop());

  const post = (body: string, type: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const ca = readFileSync(run.certificates.caFile);
      const headers = { 'Content-Type': type, 'X-A': 'a' };
      const options = { method: 'POST', ca, headers, agent: false };
      request(run.outputs.Url ?? '', options, async (response) =>
        resolve([response.statusCode, await text(response)]),
      )
        .on('error', reject)
        .end(body);
    });

  it('is called by a schedule of the template, whose role allows it', async () => {
    const log = () => readFileSync(join(run.stateDirectory, 'logs', 'hear.log'), 'utf8');

    await expect.poll(log).toContain('heard {"from":"schedule"}');
    expect(log()).not.toContain('powerless');
  });

  it('answers at its URL, over HTTPS', async () => {
    expect(await post('{}', 'application/json')).toEqual([200, '["a","{}",false]']);
  });

  it('gets a body that may not be text in base64', async () => {
    expect(await post('hi', 'application/octet-stream')).toEqual([200, '["a","aGk=",true]']);
  });

  it('is a bad gateway when it throws', async () => {
    expect(await post('break', 'text/plain')).toEqual([502, '']);
    expect(await run.failureOf('hear')).toMatchObject({ reason: expect.stringMatching('broken') });
  });
});
