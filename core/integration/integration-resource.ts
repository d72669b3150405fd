import * as z from 'zod';
import { CONFIRMED_OTHERS, IN_WORDS } from '../customer-limits.ts';
import { EVENT_TYPES } from '../event/event-types.ts';
import { instants, lists, type Terms, terms } from '../json-ld/vocabulary.ts';
import { FILTERED, filtered } from './endpoint-headers.ts';
import { settingTerms } from './found-settings.ts';
import { INTEGRATION_STATUSES, type Integration, statusOf, type Trouble } from './integration.ts';
import { filterDocument, SETTABLE } from './integration-document.ts';
import { presentReason, reasonMembers } from './reason-resource.ts';
import { subscribedTo } from './settings.ts';
import { inForce } from './signing-secrets.ts';

const failureResource = z.strictObject({
  since: z.iso.datetime().meta({ description: 'When it became failed.' }),
  statusCode: z
    .int()
    .optional()
    .meta({ description: 'The endpoint’s answer to the latest attempt.' }),
  ...reasonMembers,
  lastAttemptAt: z.iso.datetime().meta({ description: 'Start of the latest attempt.' }),
  nextAttemptAt: z.iso.datetime().meta({ description: 'When the hourly retry is due.' }),
  advice: z
    .string()
    .optional()
    .meta({
      description: `Present if the endpoint confirmed other events within ${IN_WORDS.window} before the failure, and \`settings.onFatalError\` is \`pause\`: suggests \`continue\`.`,
    }),
});

const warningResource = z.strictObject({
  pointer: z.string().meta({ description: 'Where in the document, as an RFC 6901 pointer.' }),
  detail: z.string().meta({ description: 'What may be wrong.' }),
});

export type Warning = z.output<typeof warningResource>;

export const integrationResource = z
  .strictObject({
    '@context': z.literal('/contexts/Integration.jsonld'),
    '@type': z.literal('Integration'),
    id: z
      .string()
      .regex(/^\/integrations\/[0-9A-Za-z]{12}$/)
      .meta({ description: 'Path of the integration.' }),
    description: SETTABLE.description,
    active: SETTABLE.active,
    provider: z.literal('webhook'),
    config: z.strictObject({
      ...SETTABLE.config.shape,
      webhookSecret: z.string().meta({
        description:
          'Signs deliveries. In full in the answer to the call that set it, `[FILTERED]` in others.',
      }),
      nextWebhookSecret: z.string().optional().meta({
        description:
          'During a rotation, the secret that will replace `webhookSecret`. In full in the answer of `rotate-secret`, `[FILTERED]` in others.',
      }),
      clientSecret: z
        .literal(FILTERED)
        .optional()
        .meta({ description: 'Absent if none is stored.' }),
      headers: z
        .record(z.string(), z.literal(FILTERED))
        .optional()
        .meta({ description: 'The names of your own headers.' }),
    }),
    settings: z.strictObject({
      ...SETTABLE.settings.shape,
      filter: filterDocument.optional(),
    }),
    status: z.enum(INTEGRATION_STATUSES).meta({
      description: `\`busy\`: ${IN_WORDS.busyAfter} got no answer or \`504\`. \`failed\`: an event had a fatal outcome or was not confirmed for ${IN_WORDS.window}; with \`onFatalError\` \`continue\`, ${IN_WORDS.failedAfter} in a row were refused. While \`busy\` or \`failed\`, new events are pending, and attempts are made every hour.`,
    }),
    isHealthy: z.boolean().meta({ description: 'False while it is failed.' }),
    failure: failureResource
      .optional()
      .meta({ description: 'Why it is failed. Absent while it is not.' }),
    setAsideEvents: z.int().min(0).meta({
      description:
        'The number of events set aside: stored, and not sent again until you resend or recover them, because the endpoint confirmed other events but not these.',
    }),
    previousSecretExpiresAt: z.iso.datetime().optional().meta({
      description:
        'Until when `webhook-signature` also has a signature with a previous secret. Absent if it has none.',
    }),
    warnings: z.array(warningResource).optional().meta({
      description:
        'In the answer to a call that wrote the integration: what was saved but may be wrong, such as a host name that does not resolve, or a filter on a name that no subscribed event type has. Absent if there are none.',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'When its settings last changed.' }),
  })
  .meta({
    id: 'Integration',
    description: 'A webhook: where the events of an account are sent, and which.',
  });

export type IntegrationResource = z.output<typeof integrationResource>;

export const integrationTerms: Terms = {
  ...terms('Integration', 'provider'),
  ...settingTerms,
  ...terms('status', 'isHealthy', 'failure', 'statusCode', 'reason', 'advice', 'setAsideEvents'),
  ...lists('warnings'),
  ...terms('pointer', 'detail'),
  ...instants('since', 'lastAttemptAt', 'nextAttemptAt', 'previousSecretExpiresAt'),
  ...instants('createdAt', 'updatedAt'),
};

export const integrationPath = (id: string): string => `/integrations/${id}`;

/** `shown` belongs to the call that set a secret or wrote the settings. */
export const presentIntegration = (
  integration: Integration,
  now: Date,
  shown: {
    newSecret?: string | undefined;
    nextSecret?: string | undefined;
    warnings?: readonly Warning[];
  } = {},
): IntegrationResource => {
  const { newSecret = FILTERED, nextSecret = FILTERED, warnings = [] } = shown;
  const { trouble } = integration;
  const { filter, ...settings } = integration.settings;
  const { nextWebhookSecret, previousSecrets, clientSecret, headers, ...config } =
    integration.config;
  const [latestExpiry] = inForce(previousSecrets, now)
    .map(({ expiresAt }) => expiresAt)
    .toSorted()
    .reverse();
  return {
    '@context': '/contexts/Integration.jsonld',
    '@type': 'Integration',
    id: integrationPath(integration.id),
    ...(integration.description !== undefined && { description: integration.description }),
    active: integration.active,
    provider: integration.provider,
    config: {
      ...config,
      webhookSecret: newSecret,
      ...(nextWebhookSecret && { nextWebhookSecret: nextSecret }),
      ...(clientSecret && { clientSecret: FILTERED }),
      ...(headers && { headers: filtered(headers) }),
    },
    // A type of another version may be missing in the stored actions, or unknown to this one.
    settings: {
      ...settings,
      actions: subscribedTo(...EVENT_TYPES.filter((type) => settings.actions[type])),
      ...(filter !== undefined && { filter: JSON.parse(filter) as Record<string, unknown> }),
    },
    status: statusOf(integration),
    isHealthy: trouble?.kind !== 'failed',
    ...(trouble?.kind === 'failed' && { failure: failureOf(integration, trouble) }),
    // A process that died before counting a set-aside event leaves the count too low.
    setAsideEvents: Math.max(0, integration.setAside ?? 0),
    ...(latestExpiry !== undefined && { previousSecretExpiresAt: latestExpiry }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  };
};

export const CONTINUE_ADVICE = `${CONFIRMED_OTHERS} Set settings.onFatalError to "continue" to keep delivering the others.`;

const failureOf = (
  integration: Integration,
  { since, statusCode, reason, lastAttemptAt, nextAttemptAt, confirmedOthers = false }: Trouble,
): IntegrationResource['failure'] => ({
  since,
  ...(statusCode !== undefined && { statusCode }),
  ...(reason !== undefined && presentReason(reason)),
  lastAttemptAt,
  nextAttemptAt,
  ...(confirmedOthers &&
    integration.settings.onFatalError === 'pause' && { advice: CONTINUE_ADVICE }),
});

/** The ETag, a strong validator: it changes with every change of settings. */
export const entityTag = ({ id, revision }: Integration): string => `"${id}-${revision}"`;
