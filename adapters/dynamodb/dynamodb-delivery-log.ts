import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import { batchWrite } from './batch-write.ts';
import {
  bodyOwner,
  type DeliveryLogKey,
  ENTRY,
  type EventItem,
  eventEntry,
  expiresAt,
  listingEntry,
} from './delivery-log-keys.ts';
import { DynamoDbBodyPieces, piecesOf } from './dynamodb-body-pieces.ts';

/**
 * Table DeliveryLog, the events with their bodies and the listing entries. A large body lies in
 * pieces, stored before its event, so that an event is found with all of them.
 */
export class DynamoDbDeliveryLog implements DeliveryLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #options: { readonly retentionDays: number; readonly now: () => Date };
  readonly #bodies: DynamoDbBodyPieces;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    options: { retentionDays: number; now: () => Date },
  ) {
    this.#client = client;
    this.#table = table;
    this.#options = options;
    this.#bodies = new DynamoDbBodyPieces(client, table, { sortKeyName: ENTRY });
  }

  async open(deliveries: readonly Delivery[]): Promise<void> {
    const expiry = expiresAt(this.#options.now(), this.#options);
    const writing = Promise.all([
      this.#putEvents(deliveries, expiry),
      ...deliveries.map((delivery) => this.#list(delivery, expiry)),
    ]);
    await withinDeadline(writing);
  }

  async #putEvents(deliveries: readonly Delivery[], expiry: number): Promise<void> {
    const items = deliveries.map((delivery) => eventItemOf(delivery, expiry));
    await Promise.all(
      deliveries.map(async ({ integration, event, body }, index) => {
        const pieces = items[index]?.pieces;
        if (pieces === undefined) return;
        const attributes = { expiresAt: expiry };
        await this.#bodies.put(bodyOwner(integration, event.id), pieces, { body, attributes });
      }),
    );
    await batchWrite(
      this.#client,
      this.#table,
      items.map((item) => ({ put: { ...item } })),
    );
  }

  /** An attempt may have been recorded before, and the event may be routed again. */
  async #list({ account, integration, event }: Delivery, expiry: number): Promise<void> {
    const Key: DeliveryLogKey = { integration, entry: listingEntry(event) };
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key,
        UpdateExpression: `SET account = if_not_exists(account, :account),
          #reference = if_not_exists(#reference, :reference),
          expiresAt = if_not_exists(expiresAt, :expiresAt)`,
        ExpressionAttributeNames: { '#reference': 'reference' },
        ExpressionAttributeValues: {
          ':account': account,
          ':reference': event,
          ':expiresAt': expiry,
        },
      }),
    );
  }
}

/** The calls take nine seconds each when the table is in trouble, and come one after the other. */
const DEADLINE_MS = 8_000;

/** What is not written by then may be written yet: nobody waits for it, and it can be written twice. */
const withinDeadline = async (writing: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, DEADLINE_MS, new Error('The delivery log takes too long.'));
  });
  try {
    await Promise.race([writing, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

const eventItemOf = (
  { account, integration, event, body }: Delivery,
  expiry: number,
): EventItem => {
  const pieces = piecesOf(body);
  return {
    integration,
    entry: eventEntry(event.id),
    account,
    reference: event,
    ...(pieces === undefined ? { body } : { pieces }),
    expiresAt: expiry,
  };
};
