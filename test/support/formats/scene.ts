import type { Change } from '../../../core/changes/change-resource.ts';
import type { Delivery, EventReference } from '../../../core/delivery/delivery.ts';
import type { ConsoleLink } from '../../../core/directory/console-link.ts';
import type { Integration, Slowness, Trouble } from '../../../core/integration/integration.ts';
import { anAttempt } from '../delivery/attempts.ts';
import { answered } from '../delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../event/platform-events.ts';
import { anIntegration } from '../integration/integrations.ts';
import sealed from './secrets-1.json' with { type: 'json' };

/**
 * What the fixtures of stored items are about: something of each kind of item that a stage stores,
 * with every member that can be there. The same in every version, so that items of two versions can
 * be compared: what a later version stores besides is added, and nothing here is changed.
 */
export const SCENE_NOW = new Date('2026-11-20T12:30:00.000Z');

export const SCENE_ACCOUNT = 'acme';
export const SCENE_HOUR = '2026-11-20T12';
export const SCENE_SHARD = 'shardId-00000001732266000000-0a1b2c3d';
export const SCENE_IDENTITY = { issuer: 'https://id.example.com', subject: 's_1' };

export const SCENE_RECORD = {
  account: SCENE_ACCOUNT,
  key: 'a key of the caller',
  bodyHash: 'U2xvd0hhc2hPZkFCb2R5',
  madeSecret: 'V3JhcHBlZEJ5S21z',
  integration: 'Troubled0001',
  expiresAt: new Date('2026-11-21T12:00:00.000Z'),
};

export const SCENE_LINK: ConsoleLink = {
  hash: 'c0'.repeat(32),
  account: SCENE_ACCOUNT,
  user: 'Ada Lovelace',
  role: 'admin',
  validUntil: '2026-11-20T12:31:00.000Z',
  sessionEndsAt: '2026-11-20T16:30:00.000Z',
};

export const QUIET = anIntegration({ id: 'Quiet0000001' });

/** As a customer has set it, before the service sets anything. */
export const TROUBLED: Integration = anIntegration({
  id: SCENE_RECORD.integration,
  description: 'Orders, production',
  settings: {
    ...QUIET.settings,
    onFatalError: 'continue',
    whileInactive: 'keep',
    filter: '{"message":{"to":["+13035550199"]}}',
  } satisfies Required<Integration['settings']>,
  config: {
    ...(sealed.config as Integration['config']),
    nextWebhookSecret: (sealed.config as Integration['config']).previousSecrets?.[0]?.secret,
  },
});

const CHANGED = {
  '@context': '/contexts/Change.jsonld',
  '@type': 'Change',
  account: `/accounts/${SCENE_ACCOUNT}`,
  integration: `/integrations/${TROUBLED.id}`,
  baseUrl: 'https://hooks.example.com/…',
  description: 'Orders, production',
} as const;

const changeId = (position: number, kind: string) =>
  `/${SCENE_ACCOUNT}/changes/chg_70000000000000000000${position}-${kind}`;

export const CHANGES: readonly Change[] = [
  {
    ...CHANGED,
    id: changeId(1, 'settings-changed'),
    kind: 'settings-changed',
    at: '2026-11-20T12:01:00.000Z',
    by: { user: '/users/u_ada', token: 'tok_0123456789abcdef' },
    members: [
      { name: 'config.baseUrl', from: 'https://example.com/…', to: 'https://hooks.example.com/…' },
      { name: 'config.headers.Authorization' },
    ],
  },
  {
    ...CHANGED,
    id: changeId(2, 'busy'),
    kind: 'busy',
    at: '2026-11-20T12:02:00.000Z',
    by: 'service',
    reason: 'response-timeout',
    detail: 'Your endpoint did not answer in time.',
    since: '2026-11-20T12:02:00.000Z',
  },
  {
    ...CHANGED,
    id: changeId(3, 'recovered'),
    kind: 'recovered',
    at: '2026-11-20T12:03:00.000Z',
    by: 'operator',
    statusCode: 504,
    since: '2026-11-20T12:02:00.000Z',
    endedBy: 'request',
  },
  {
    ...CHANGED,
    id: changeId(4, 'event-set-aside'),
    kind: 'event-set-aside',
    at: '2026-11-20T12:04:00.000Z',
    by: 'service',
    count: 1,
  },
];

export const TROUBLE: Trouble = {
  kind: 'failed',
  since: '2026-11-20T12:02:00.000Z',
  lastAttemptAt: '2026-11-20T12:02:00.000Z',
  nextAttemptAt: '2026-11-20T13:02:00.000Z',
  statusCode: 500,
  confirmedOthers: true,
};

/** Of the quiet one, which nothing stops. */
export const WAITING: Trouble = {
  kind: 'waiting',
  since: '2026-11-20T12:03:00.000Z',
  lastAttemptAt: '2026-11-20T12:03:00.000Z',
  nextAttemptAt: '2026-11-20T13:03:00.000Z',
  reason: 'connection-refused',
};

/** By which the hourly retry of the trouble claimed its first attempt. */
export const CLAIM = {
  lastBefore: new Date('2026-11-20T11:59:50.000Z'),
  claimedAt: new Date('2026-11-20T12:29:50.000Z'),
  claimedBy: 'a1b2c3d4-0000-4000-8000-000000000000',
  nextAttemptAt: new Date('2026-11-20T13:29:50.000Z'),
};

export const REMINDED_AT = new Date('2026-11-20T12:01:30.000Z');
export const SLOWNESS: Slowness = { score: 16, notedAt: '2026-11-20T12:01:15.000Z' };

export const SLOT = { slot: 'backoff7', now: 0, until: SCENE_NOW.getTime() };

const eventAt = (minute: number, id: string): EventReference => ({
  id,
  type: 'message.received',
  occurredAt: new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString(),
});

const deliveryOf = (event: EventReference, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    integration: TROUBLED.id,
    event,
    body: JSON.stringify({ id: event.id, data: { message: { body: 'Grüße 👋' } } }),
    ...overrides,
  });

export const PENDING: readonly Delivery[] = [
  deliveryOf(eventAt(1, 'evt_pending'), {
    trigger: 'replay',
    priorAttempts: 3,
    backoff: { since: '2026-11-20T12:01:10.000Z', attempts: 2, hasSlot: false },
  }),
  deliveryOf(eventAt(2, 'evt_pending_resend'), { trigger: 'manual' }),
];

/**
 * When the first of them is due, which waits for the hourly schedule; the others are due at once.
 */
export const DUE_AT = new Date('2026-11-20T13:01:20.000Z');

export const SET_ASIDE: readonly Delivery[] = [
  deliveryOf(eventAt(4, 'evt_set_aside'), { priorAttempts: 2, trigger: 'replay' }),
];

/** An id that tells its time, and others that do not. */
export const LOGGED = {
  delivered: deliveryOf({
    ...eventAt(0, 'evt_01M7WD7TG00123456789ABCDEF'),
    occurredAt: '2026-11-20T13:00:00+01:00',
  }),
  retried: deliveryOf(eventAt(7, 'evt_retried')),
  waiting: deliveryOf(eventAt(8, 'evt_waiting')),
};

const attemptOf = (
  delivery: Delivery,
  statusCode: number,
  overrides: Partial<ReturnType<typeof anAttempt>> = {},
) =>
  anAttempt(
    {
      integration: delivery.integration,
      event: delivery.event,
      startedAt: new Date(Date.parse(delivery.event.occurredAt) + 1_000),
      ...overrides,
    },
    answered(statusCode, 'what the endpoint answered'),
  );

export const FIRST_ATTEMPTS = [
  attemptOf(LOGGED.delivered, 204),
  attemptOf(LOGGED.retried, 504, { nextAttemptAt: new Date('2026-11-20T12:07:16.000Z') }),
];

/** One got an answer, and one got none. */
export const LATER_ATTEMPTS = [
  attemptOf(LOGGED.retried, 200, {
    number: 3,
    trigger: 'manual',
    startedAt: new Date('2026-11-20T12:20:00.000Z'),
  }),
  anAttempt(
    {
      integration: TROUBLED.id,
      event: LOGGED.retried.event,
      number: 2,
      trigger: 'backoff',
      startedAt: new Date('2026-11-20T12:10:00.000Z'),
    },
    { kind: 'unanswered', reason: 'certificate-expired', code: 'CERT_HAS_EXPIRED' },
  ),
];
