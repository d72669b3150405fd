import * as z from 'zod';
import { IN_WORDS } from '../customer-limits.ts';
import { EVENT_TYPES, type EventType } from '../event/event-types.ts';
import { IGNORES_JSON_LD, parseRequestDocument } from '../json-ld/request-document.ts';
import type { Fault } from '../refusal.ts';
import { MAX_URL_LENGTH } from './address-guard.ts';
import { endpointHeaders } from './header-rules.ts';
import {
  type ConfigMember,
  type IntegrationSettings,
  ON_FATAL_ERROR,
  type SettingsMember,
  subscribedTo,
  WHILE_INACTIVE,
} from './settings.ts';
import { webhookSecretOrFiltered } from './webhook-secrets.ts';

/** Accepted and ignored, so that a caller can send back a document that was read. */
const serverSet = z.unknown().optional().meta({ description: 'Set by the service; ignored.' });

const config = z
  .strictObject({
    baseUrl: z.string().meta({
      maxLength: MAX_URL_LENGTH,
      description:
        'Where events are sent: an absolute `https://` URL as browsers write it, also with characters that RFC 3986 would escape, without user information or fragment, whose host leads to public addresses only.',
    }),
    webhookSecret: webhookSecretOrFiltered.optional().meta({
      description:
        'Signs deliveries. Generated if absent on creation; later, if absent or `[FILTERED]`, the stored one stays.',
    }),
    clientSecret: z
      .string()
      .max(1_024, 'must be at most 1024 characters')
      .refine((secret) => secret.isWellFormed(), 'must be well-formed Unicode')
      .optional()
      .meta({
        description:
          'Stored for your client applications; never shown, never sent. `[FILTERED]` keeps the stored one. If absent, it is removed.',
      }),
    nextWebhookSecret: serverSet,
    headers: endpointHeaders.optional().meta({
      description:
        'Headers of every request to the endpoint, such as the key of a gateway. They are not signed. The value `[FILTERED]` keeps the stored one. Absent names are removed. Names are not case-sensitive, and have 1 to 64 characters; those that HTTP or the service sets are refused.',
    }),
  } satisfies Record<ConfigMember, z.ZodType>)
  .meta(IGNORES_JSON_LD);

const actions = z
  .strictObject(
    Object.fromEntries(EVENT_TYPES.map((type) => [type, z.boolean().default(false)])) as {
      [Type in EventType]: z.ZodDefault<z.ZodBoolean>;
    },
  )
  .meta({
    description:
      'Which events are sent. Absent types are not sent. Without `actions`, `message.received` and `message.delivered` are sent.',
    ...IGNORES_JSON_LD,
  });

const onFatalError = z
  .enum(ON_FATAL_ERROR, 'must be "pause" or "continue"')
  .default('pause')
  .meta({
    description: [
      'What happens when the endpoint refuses an event, that is, when the outcome of an attempt is `fatal`, such as for `400` or `500`.',
      '`pause`, the default: the first refused event makes the integration failed. All events are pending until an hourly attempt succeeds, or you change the settings or call `recover`. Choose it if an error means that your endpoint is down.',
      `\`continue\`: a refused event is stored and sent again after a delay, and the integration continues with the others. It becomes failed after ${IN_WORDS.failedAfter} refused in a row. Choose it if your endpoint answers \`4xx\` or \`5xx\` to single events that it does not want.`,
    ].join('\n\n'),
  });

/** Its faults are named by `filterFaults`. */
export const filterDocument = z.record(z.string(), z.unknown()).meta({
  description: [
    'Which events of these types are sent: a pattern on `data` in the form of [EventBridge](https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html), of at most 2 KB and 5 levels. All fields must match, each with one value or operator of its list: `prefix`, `suffix`, `anything-but`, `exists`, `numeric`, `equals-ignore-case`. If absent or `{}`, all are sent.',
    'Other events are neither sent nor stored; statistics count them. A change does not concern events that are stored already.',
  ].join('\n\n'),
  examples: [{ message: { to: ['+13035550199'] } }],
});

const settings = z
  .strictObject({
    actions: actions.default(() => subscribedTo('message.received', 'message.delivered')),
    onFatalError,
    // Some generated clients send an empty object for a member that was not set.
    filter: filterDocument
      .transform((filter) => (Object.keys(filter).length > 0 ? JSON.stringify(filter) : undefined))
      .optional(),
    whileInactive: z.enum(WHILE_INACTIVE, 'must be "discard" or "keep"').optional().meta({
      description:
        'What becomes of events that happen while `active` is false. `discard`, also if absent: they are neither stored nor sent. `keep`: they are pending, without attempts, and sent after `active` is true again.',
    }),
  } satisfies Record<SettingsMember, z.ZodType>)
  .meta(IGNORES_JSON_LD);

/** With the joiners that scripts such as Persian and Hindi, and some emoji, are written with. */
const PRINTABLE = /^(?:[^\p{C}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u;

/** Fillers, such as U+3164, are letters, and the braille blank is a symbol: neither is seen. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

const description = z
  .string()
  .max(120, 'must be at most 120 characters')
  .refine((text) => PRINTABLE.test(text) && VISIBLE.test(text), {
    error: 'must have a visible character, and no control characters',
  })
  .optional()
  .meta({
    description: 'A name for people: shown in lists, e-mails and changes, and not sent.',
  });

/** The members that a caller sets. */
export const SETTABLE = {
  description,
  active: z.boolean().meta({ description: 'Whether events are sent.' }),
  config,
  settings,
} satisfies Record<keyof IntegrationSettings, z.ZodType>;

export const integrationDocument = z
  .strictObject({
    ...SETTABLE,
    provider: z.literal('webhook', 'must be "webhook"'),
    id: serverSet,
    status: serverSet,
    isHealthy: serverSet,
    failure: serverSet,
    setAsideEvents: serverSet,
    previousSecretExpiresAt: serverSet,
    warnings: serverSet,
    createdAt: serverSet,
    updatedAt: serverSet,
  })
  .meta({
    id: 'IntegrationDocument',
    description: 'An Integration as you write it. You can send back one that you have read.',
    ...IGNORES_JSON_LD,
  });

/** The body of a call that changes an integration in part. Only the patched document is checked. */
export const integrationPatch = z.looseObject({}).meta({
  id: 'IntegrationPatch',
  description:
    'A JSON Merge Patch (RFC 7396) of the Integration as you read it: members replace, `null` removes. The result must be a valid Integration.',
});

/** An Integration as a caller writes it, checked, with the defaults filled in. */
export type IntegrationDocument = z.output<z.ZodObject<typeof SETTABLE>>;

/**
 * Omitted optional settings are `undefined`, so that a replacement removes them. Throws a
 * `validation` refusal that names every wrong member, by the schema or by `faults`.
 */
export const parseIntegrationDocument = (
  value: unknown,
  faults?: readonly Fault[],
): IntegrationDocument => {
  const parsed = parseRequestDocument(integrationDocument, value, { name: 'Integration', faults });
  const names = Object.keys(SETTABLE) as (keyof IntegrationDocument)[];
  return Object.fromEntries(names.map((name) => [name, parsed[name]])) as IntegrationDocument;
};
