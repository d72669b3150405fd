import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Key of the tables PendingEvents and DeliveryLog. `partition`: the integration's id and a number. */
export type PartitionedKey = Readonly<Record<'partition' | 'entry', string>>;

/** The result of one read: the items found, and the sort key up to which DynamoDB has read. */
export interface ReadPage<Item> {
  readonly items: readonly Item[];
  readonly readTo?: string | undefined;
}

export type Order = 'oldest first' | 'newest first';

/** Of an integration. One takes 1,000 write units a second: eight take 4,000 events of 2 KB. */
export const PARTITIONS = 8;

export const partitionNumbered = (integration: string, number: number): string =>
  `${integration}#${number}`;

export const partitionsOf = (integration: string): readonly string[] =>
  Array.from({ length: PARTITIONS }, (_, number) => partitionNumbered(integration, number));

/** The event's id alone decides the partition, so a delivery is found by its id. */
export const partitionNumberOf = (eventId: string): number =>
  createHash('sha256').update(eventId).digest().readUInt8() % PARTITIONS;

export const partitionOf = (integration: string, eventId: string): string =>
  partitionNumbered(integration, partitionNumberOf(eventId));

/**
 * Text that most bodies have, the most common last. Stored bodies refer to it: another text needs
 * another number, and this one stays for as long as bodies are kept.
 */
const DICTIONARY = Buffer.from(
  [
    '"phoneCall":{"id":"call_","durationSeconds":0,"keyword":"STOP","keyword":"START",',
    '"error":{"code":"unreachable","detail":"unknown","direction":"out","from":"+1',
    'phone_call.completed contact.opted_out contact.opted_in contact.created ',
    'message.unknown message.failed message.delivered ',
    '{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery",',
    '"id":"/integrations//deliveries/evt_01","webHook":"/integrations/",',
    '"action":"message.received","timestamp":"2026-11-20T12:00:00.000Z","data":{"message":{',
    '"id":"msg_","body":"","direction":"in","from":"+1","to":"+1"},',
    '"contact":{"id":"con_","name":"","phone":"+1"}}}',
  ].join(''),
);

/** The first byte of a deflated body: the number of its dictionary. */
const DICTIONARY_NUMBER = 1;

/** The default of zlib, and its minimum. */
const MOST_AT_ONCE = 16_384;
const LEAST_AT_ONCE = 64;

/** zlib keeps a buffer of this size, by default 16 KiB, until the next full garbage collection. */
const optionsFor = (expectedBytes: number) => ({
  dictionary: DICTIONARY,
  chunkSize: Math.min(Math.max(expectedBytes, LEAST_AT_ONCE), MOST_AT_ONCE),
});

/** A compressed body: a body of 1 KB takes about 450 bytes, and 15 µs. */
export const deflated = (body: string): Uint8Array =>
  Buffer.concat([Buffer.of(DICTIONARY_NUMBER), deflateRawSync(body, optionsFor(body.length))]);

export const inflated = (bytes: Uint8Array): string => {
  const [number] = bytes;
  if (number !== DICTIONARY_NUMBER) throw new Error(`a body has the unknown dictionary ${number}`);
  return inflateRawSync(bytes.subarray(1), optionsFor(4 * bytes.length)).toString();
};
