import * as z from 'zod';
import { EVENT_TYPES, type EventType } from '../events/event-type.ts';
import { type Fault, Refusal } from '../refusal.ts';

/** Stands for a stored secret in every answer but the one of the call that set it. */
export const FILTERED = '[FILTERED]';

/** An Integration as a caller writes it, checked, with the defaults filled in. */
export interface IntegrationDocument {
  readonly active: boolean;
  readonly config: {
    readonly baseUrl: string;
    readonly webhookSecret?: string;
    readonly clientSecret?: string;
  };
  readonly actions: Readonly<Record<EventType, boolean>>;
}

const SERVER_SET = ['id', 'createdAt', 'updatedAt', 'isHealthy', 'status', 'failure'];
const STANDARD_WEBHOOKS_SECRET =
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What the web application subscribes a webhook to when it says nothing. */
const DEFAULT_SUBSCRIPTIONS: readonly EventType[] = ['message.received', 'message.delivered'];

/** Drops `@`-members and server-set members, so that a document that was read can be sent back. */
const ignoring =
  (names: readonly string[]) =>
  (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).filter(([key]) => !key.startsWith('@') && !names.includes(key)),
        )
      : value;

const webhookSecret = z
  .string()
  .refine(
    (secret) => secret === FILTERED || /^[\x20-\x7E]{16,128}$/.test(secret),
    'must be 16 to 128 printable ASCII characters',
  )
  .refine(
    (secret) => !secret.startsWith('whsec_') || STANDARD_WEBHOOKS_SECRET.test(secret),
    'must be base64 after the prefix whsec_',
  );

const actionsSchema = z.preprocess(
  ignoring([]),
  z.strictObject(
    Object.fromEntries(EVENT_TYPES.map((type) => [type, z.boolean().default(false)])) as {
      [Type in EventType]: z.ZodDefault<z.ZodBoolean>;
    },
  ),
);

const documentSchema = z.preprocess(
  ignoring(SERVER_SET),
  z.strictObject({
    active: z.boolean(),
    provider: z.literal('webhook', 'must be "webhook"'),
    config: z.preprocess(
      ignoring([]),
      z.strictObject({
        baseUrl: z.string(),
        webhookSecret: webhookSecret.optional(),
        clientSecret: z.string().max(1_024, 'must be at most 1024 characters').optional(),
      }),
    ),
    settings: z.preprocess(ignoring([]), z.strictObject({ actions: actionsSchema.optional() })),
  }),
);

const defaultActions = (): IntegrationDocument['actions'] =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [type, DEFAULT_SUBSCRIPTIONS.includes(type)]),
  ) as Record<EventType, boolean>;

/** Throws a `validation` refusal that names every member that is wrong. */
export const parseIntegrationDocument = (value: unknown): IntegrationDocument => {
  const parsed = documentSchema.safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' ? typeFault(issue) : undefined),
  });
  if (!parsed.success) throw invalidDocument(parsed.error.issues.flatMap(faultsOf));
  const { active, config, settings } = parsed.data;
  return { active, config, actions: settings.actions ?? defaultActions() };
};

const typeFault = ({ expected, input }: { expected?: string; input?: unknown }): string =>
  input === undefined ? 'is required' : `must be ${expected === 'object' ? 'an' : 'a'} ${expected}`;

export const invalidDocument = (faults: readonly Fault[]): Refusal =>
  new Refusal('validation', 'The request body is not a valid Integration.', faults);

const faultsOf = (issue: z.core.$ZodIssue): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        pointer: pointer([...issue.path, key]),
        detail: 'is not a known member',
      }))
    : [{ pointer: pointer(issue.path), detail: issue.message }];

/** RFC 6901. */
const pointer = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
