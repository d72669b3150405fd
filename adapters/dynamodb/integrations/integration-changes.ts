import * as z from 'zod';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { parsedChange } from '../table/stream-records.ts';
import { integrationIn } from './integration-reader.ts';

/** An attribute in DynamoDB's JSON, as its value. Items of integrations have no other types. */
const attribute: z.ZodType<unknown> = z.lazy(() =>
  z.union([
    z.strictObject({ S: z.string() }).transform(({ S }) => S),
    z.strictObject({ N: z.string() }).transform(({ N }) => Number(N)),
    z.strictObject({ BOOL: z.boolean() }).transform(({ BOOL }) => BOOL),
    z.strictObject({ NULL: z.literal(true) }).transform(() => null),
    z.strictObject({ L: z.array(attribute) }).transform(({ L }) => L),
    z.strictObject({ M: z.record(z.string(), attribute) }).transform(({ M }) => M),
  ]),
);

const actor = z.looseObject({
  kind: z.enum(['user', 'operator', 'service']),
  at: z.iso.datetime(),
});

/** The members that changes are made of. */
const integration = z.looseObject({
  account: z.string(),
  id: z.string(),
  active: z.boolean(),
  config: z.looseObject({ baseUrl: z.string() }),
  settings: z.looseObject({ actions: z.record(z.string(), z.boolean()) }),
  revision: z.number(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  changedBy: actor,
  deletedBy: actor.optional(),
  trouble: z
    .looseObject({ kind: z.enum(['waiting', 'busy', 'failed']), since: z.iso.datetime() })
    .optional(),
  setAside: z.number().optional(),
  inactiveSince: z.iso.datetime().optional(),
  remindedAt: z.iso.datetime().optional(),
});

const image = z
  .record(z.string(), attribute)
  .pipe(integration)
  .transform((item) => integrationIn(item) as Integration)
  .optional();

const recordSchema = z.object({
  dynamodb: z
    .object({
      SequenceNumber: z.string().regex(/^\d{1,40}$/),
      /** Seconds since 1970. */
      ApproximateCreationDateTime: z.number(),
      OldImage: image,
      NewImage: image,
    })
    .refine(({ OldImage, NewImage }) => OldImage ?? NewImage, { path: ['NewImage'] }),
});

/** The write of an integration that a record of the stream has. Throws `UnreadableChange`. */
export const integrationWriteIn = (record: unknown): IntegrationWrite => {
  const { dynamodb } = parsedChange(recordSchema, record);
  return {
    id: `chg_${dynamodb.SequenceNumber}`,
    writtenAt: new Date(dynamodb.ApproximateCreationDateTime * 1_000),
    before: dynamodb.OldImage,
    after: dynamodb.NewImage,
  };
};
