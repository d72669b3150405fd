import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { admin, eventually } from '../support/journey/platform.ts';
import { awsClientConfigOf } from '../support/journey/platform-of.ts';
import { endHour, outputs, pendingOf, schedulesOf } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const client = new DynamoDBClient(awsClientConfigOf(inject('place')));

const receiver = await receiverOfFile();

const restored = (table: string): string => `${table}-restored`;

/** The emulator keeps no history: what it restores is the table of this moment. */
const restore = (table: string) =>
  client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: restored(table),
      UseLatestRestorableTime: true,
    }),
  );

const copyBack = async (table: string): Promise<string> => {
  const words = ['bin/copy-items.ts', '--from', restored(table), '--to', table];
  return (await promisify(execFile)(process.execPath, words)).stdout;
};

describe('Webhooks that were deleted in their table by accident', () => {
  it('are back with their pending events after a restore', async () => {
    const { IntegrationsTableName = '', PendingEventsTableName = '' } = await outputs;
    const healthy = await CustomerWebhook.at(receiver, '/restore/healthy');
    const failed = await CustomerWebhook.at(receiver, '/restore/failed', {
      behaves: [answer(500)],
    });
    const events = failed.customer.sampleEvents(8);
    await failed.customer.publish(...events);
    await failed.becomes('failed');
    const isWhole = (pending: string[]) => pending.length === events.length;
    await eventually(() => failed.pending(), isWhole, { betweenReadsMs: 500 });
    for (const table of [IntegrationsTableName, PendingEventsTableName]) await restore(table);

    // The accident, of which the service knows nothing: after an hour it takes a webhook that is not
    // in the table for a deleted one, whose events and schedule go.
    for (const { customer, bareId } of [healthy, failed]) {
      const Key = { account: { S: customer.account }, id: { S: bareId } };
      await client.send(new DeleteItemCommand({ TableName: IntegrationsTableName, Key }));
    }
    await endHour(failed);
    const gone = async () => [
      ...(await pendingOf(failed.bareId)),
      ...(await schedulesOf(failed.bareId)),
    ];
    await eventually(gone, ({ length }) => length === 0, { betweenReadsMs: 500 });
    expect((await healthy.customer.call('GET', healthy.id)).status).toBe(404);

    expect(await copyBack(PendingEventsTableName)).toMatch(/^[1-9]\d* items/);
    expect(await copyBack(IntegrationsTableName)).toMatch(/^[1-9]\d* items/);

    const lost = healthy.customer.sampleEvent();
    await healthy.customer.publish(lost);
    await healthy.deliveries.each([lost]);
    expect(new Set(await failed.pending())).toEqual(new Set(events.map(({ id }) => id)));
    expect((await failed.read()).status).toBe('failed');
    // Its hourly schedule is no more.
    receiver.behave('/restore/failed', answer(200));
    const fromNowOn = new DeliveriesTo(receiver, '/restore/failed');
    expect((await admin('stage', 'make-schedules')).made).toBeGreaterThan(0);
    await endHour(failed);
    await fromNowOn.each(events);
    await failed.becomes('active');
    expect(await copyBack(IntegrationsTableName)).toMatch(/^0 items/);
    for (const table of [IntegrationsTableName, PendingEventsTableName]) {
      await client.send(new DeleteTableCommand({ TableName: restored(table) }));
    }
  });
});
