import * as z from 'zod';
import { EVENT_TYPES, type EventType } from '../events/event-type.ts';

const failureResource = z.strictObject({
  since: z.iso.datetime().meta({ description: 'Since when it is failed.' }),
  statusCode: z
    .int()
    .optional()
    .meta({ description: 'What the endpoint answered to the latest attempt.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'In words, why it gave no answer; instead of `statusCode`.' }),
  lastAttemptAt: z.iso.datetime().meta({ description: 'Start of the latest attempt.' }),
  nextAttemptAt: z.iso.datetime().meta({ description: 'When the hourly retry is due.' }),
});

/** An Integration as the API shows it. */
export const integrationResource = z
  .strictObject({
    '@context': z.literal('/contexts/Integration.jsonld'),
    '@type': z.literal('Integration'),
    id: z
      .string()
      .regex(/^\/integrations\/[0-9A-Za-z]{12}$/)
      .meta({ description: 'Path of the integration.' }),
    active: z.boolean().meta({ description: 'Whether events are sent.' }),
    provider: z.literal('webhook'),
    config: z.strictObject({
      baseUrl: z.string().meta({ description: 'Where events are sent.' }),
      webhookSecret: z.string().meta({
        description:
          'What deliveries are signed with: in full in the answer to the call that set or made it, `[FILTERED]` in every other.',
      }),
      clientSecret: z
        .literal('[FILTERED]')
        .optional()
        .meta({ description: 'Absent where none is stored.' }),
    }),
    settings: z.strictObject({
      actions: z
        .strictObject(
          Object.fromEntries(EVENT_TYPES.map((type) => [type, z.boolean()])) as {
            [Type in EventType]: z.ZodBoolean;
          },
        )
        .meta({ description: 'Which events are sent.' }),
    }),
    status: z.enum(['active', 'inactive', 'busy', 'failed']).meta({
      description:
        '`busy`: the endpoint gave no answer many times in a row, and events wait. `failed`: it answered with an error, or not at all for 12 hours; events wait, and an attempt is made every hour.',
    }),
    isHealthy: z.boolean().meta({ description: 'False while it is failed.' }),
    failure: failureResource
      .optional()
      .meta({ description: 'Why it is failed; absent while it is not.' }),
    previousSecretExpiresAt: z.iso.datetime().optional().meta({
      description:
        'Until when deliveries are signed with a previous secret, too; absent where they are not.',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'Of the latest change of its settings.' }),
  })
  .meta({
    id: 'Integration',
    description: 'A webhook: where the events of an account are sent, and which.',
  });

export type IntegrationResource = z.output<typeof integrationResource>;
