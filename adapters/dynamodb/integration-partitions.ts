import { createHash } from 'node:crypto';

/** Key of the tables PendingEvents and DeliveryLog. `partition`: the integration's id and a number. */
export type PartitionedKey = Readonly<Record<'partition' | 'entry', string>>;

/**
 * The partitions of an integration in the tables PendingEvents and DeliveryLog. A partition takes
 * 1,000 write units a second, and an event of 2 KB takes two: eight partitions take 4,000 such
 * events a second.
 */
export const PARTITIONS = 8;

const partitionNumbered = (integration: string, number: number): string =>
  `${integration}#${number}`;

export const partitionsOf = (integration: string): readonly string[] =>
  Array.from({ length: PARTITIONS }, (_, number) => partitionNumbered(integration, number));

/** The event's id alone decides the partition, so a delivery is found by its id. */
export const partitionOf = (integration: string, eventId: string): string => {
  const number = createHash('sha256').update(eventId).digest().readUInt8() % PARTITIONS;
  return partitionNumbered(integration, number);
};
