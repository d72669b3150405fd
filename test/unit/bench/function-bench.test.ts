import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChild } from '../../../bench/child.ts';
import type { AwsSettings } from '../../../bench/function/aws-process.ts';
import type { FunctionProcessSettings } from '../../../bench/function/function-process.ts';
import type { Round, RoundRequest } from '../../../bench/function/round.ts';

const processOf = (name: string) =>
  new URL(`../../../bench/function/${name}-process.ts`, import.meta.url);

const startAws = async () => {
  const aws = await startChild<{ origin: string }, object, Record<string, number>>(
    processOf('aws'),
    {
      settings: {
        integrationsTable: 'integrations',
        keyPairsTable: 'key-pairs',
        baseUrl: 'https://example.com/',
      } satisfies AwsSettings,
    },
  );
  onTestFinished(aws.stop);
  return aws;
};

const call = (origin: string, action: string, input: object) =>
  fetch(origin, {
    method: 'POST',
    headers: { 'x-amz-target': `DynamoDB_20120810.${action}` },
    body: JSON.stringify(input),
  });

const BATCH = { Statements: [{ Statement: 'one' }, { Statement: 'two' }] };

describe('the AWS of the bench of deliver-webhook', () => {
  it('answers each statement of a batch', async () => {
    const { ready } = await startAws();
    const response = await call(ready.origin, 'BatchExecuteStatement', BATCH);
    expect(await response.json()).toEqual({ Responses: [{}, {}] });
  });

  it('ends the bench at a call that it cannot answer', async () => {
    const { ready, ask } = await startAws();
    await expect(call(ready.origin, 'DescribeTable', {})).rejects.toThrow('fetch failed');
    await expect(ask({})).rejects.toThrow();
  });
});

describe('a round of the bench of deliver-webhook', () => {
  it('has the errors that the function logs', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'function-bench-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'index.mjs');
    await writeFile(
      file,
      `export const handler = async () => {
        console.error('attempt.not_recorded');
        return { batchItemFailures: [] };
      };`,
    );
    const { ask, stop } = await startChild<object, RoundRequest, Round>(processOf('function'), {
      settings: {
        file,
        handler: 'handler',
        queueArn: 'arn:aws:sqs:us-east-1:000000000000:deliveries',
        bodyBytes: 900,
        batchSize: 1,
      } satisfies FunctionProcessSettings,
    });
    onTestFinished(stop);
    const round = { failed: 0, errors: ['attempt.not_recorded\n'] };
    expect(await ask({ deliveries: 1 })).toMatchObject(round);
    expect(await ask({ deliveries: 1 })).toMatchObject(round);
  });
});
