import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CANARY_INTEGRATION } from '../../core/delivery/canary.ts';
import { fireSchedules } from '../support/journey/hours.ts';
import { eventually } from '../support/journey/platform.ts';
import { awsClientConfigOf } from '../support/journey/platform-of.ts';
import {
  assembleLocal,
  type SeparateRun,
  startSeparateRun,
} from '../support/journey/separate-run.ts';

const stateDirectory = inject('stateDirectory');
const directory = `${stateDirectory}-canary`;

describe.skipIf(stateDirectory === undefined)('A stage with the canary', () => {
  const failures: unknown[] = [];
  let separate: SeparateRun;
  let client: DynamoDBDocumentClient;
  beforeAll(async () => {
    separate = await startSeparateRun(
      directory,
      async (folder) => {
        assembleLocal(folder, { canary: 'true' });
      },
      {
        onFunctionFailure: (failure) => failures.push(failure),
        secureVariables: ['CANARY_URL'],
      },
    );
    client = DynamoDBDocumentClient.from(
      new DynamoDBClient(awsClientConfigOf(separate.run.endpoints)),
    );
  });
  afterAll(() => separate?.stop());

  const item = () => ({
    TableName: separate.run.outputs.IntegrationsTableName,
    Key: CANARY_INTEGRATION,
  });
  const stored = async () => (await client.send(new GetCommand(item()))).Item;
  const deliveries = () => separate.state.attemptsOf(CANARY_INTEGRATION.id);
  /** As every five minutes: the stage has no other schedule. */
  const sendCanary = () => fireSchedules(separate.run.endpoints, { GroupName: 'default' });

  /** The latencies in the log of the function that receives. */
  const latencies = (): number[] => {
    const [log = ''] = readdirSync(join(directory, 'logs')).filter((name) =>
      name.includes('ReceiveCanary'),
    );
    return readFileSync(join(directory, 'logs', log), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"CanaryLatency":'))
      .map((line) => JSON.parse(line).CanaryLatency);
  };

  it('sends events through the queues to its endpoint, which measures them', async () => {
    await eventually(deliveries, ({ length }) => length === 1);
    for (const count of [2, 3]) {
      await sendCanary();
      await eventually(deliveries, ({ length }) => length === count);
    }
    const made = await deliveries();

    expect(made).toEqual(
      made.map(() => expect.objectContaining({ outcome: 'delivered', statusCode: 204 })),
    );
    expect(new Set(made.map(({ eventId }) => eventId)).size).toBe(made.length);
    const measured = await eventually(
      async () => latencies(),
      ({ length }) => length >= 3,
    );
    expect(measured.every((latencyMs) => latencyMs >= 0 && latencyMs < 60_000)).toBe(true);
    expect(failures).toEqual([]);
  });

  it('puts its integration right', async () => {
    const before = await stored();
    await client.send(
      new UpdateCommand({
        ...item(),
        UpdateExpression: 'SET active = :no, config.baseUrl = :elsewhere',
        ExpressionAttributeValues: { ':no': false, ':elsewhere': 'https://127.0.0.1:1/' },
      }),
    );

    await sendCanary();
    const after = await eventually(stored, (canary) => canary?.active === true);

    expect(after).toMatchObject({ config: before?.config, revision: Number(before?.revision) + 1 });
    expect(failures).toEqual([]);
  });

  it('refuses a request with another signature', async () => {
    const ca = readFileSync(separate.run.endpoints.caFile);
    const headers = { 'X-Service-Signature': 'a1'.repeat(32), 'Content-Type': 'application/json' };
    const url = String((await stored())?.config.baseUrl);

    const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
      request(url, { method: 'POST', ca, headers, agent: false }, async (response) =>
        resolve([response.statusCode, await text(response)]),
      )
        .on('error', reject)
        .end('{"timestamp":"2026-11-20T12:00:00.000Z"}');
    });

    expect(answer).toEqual([404, expect.stringContaining('/problems/not-found')]);
    expect(Math.max(...latencies())).toBeLessThan(60_000);
  });
});
