import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLogReader } from '../../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';

/** A log without an end, of which filters leave everything out, and the items that it has read. */
const anEndlessLog = () => {
  let itemsRead = 0;
  const send = async (command: unknown) => {
    if (!(command instanceof QueryCommand)) throw new Error('Only queries are expected.');
    const { Limit = Number.POSITIVE_INFINITY } = command.input;
    itemsRead += Limit;
    return { Items: [], LastEvaluatedKey: { entry: '2026-11-20T12:00:00.000Z#evt_1' } };
  };
  const client = Object.setPrototypeOf({ send }, DynamoDBDocumentClient.prototype);
  const now = () => new Date('2026-11-20T12:00:00.000Z');
  const reader = new DynamoDbDeliveryLogReader(client, 'DeliveryLog', { now });
  return { reader, itemsRead: () => itemsRead };
};

describe('a page of the delivery log', () => {
  it.each([1, 20, 100])('reads at most 1,424 items with the limit %i', async (limit) => {
    const { reader, itemsRead } = anEndlessLog();
    const page = await reader.newest('0123456789Ab', { filter: { outcome: 'fatal' }, limit });
    expect(page).toEqual({ deliveries: [], next: expect.any(String) });
    expect(itemsRead()).toBeLessThanOrEqual(1_424);
  });
});
