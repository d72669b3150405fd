import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import type { OnFatalError } from '../../../core/integration/settings.ts';

export type Actions = Readonly<Record<string, boolean>>;

export interface Secret {
  readonly text: string;
  readonly expiresAtMs: number;
  /** It was prepared, and another in its place. */
  readonly wasNext: boolean;
}

/** An integration as the API should show it. */
export interface ModelledIntegration {
  /** Path. */
  readonly id: string;
  active: boolean;
  baseUrl: string;
  actions: Actions;
  onFatalError: OnFatalError;
  clientSecret: string | undefined;
  secret: string;
  /** Of a rotation that is prepared. */
  next: string | undefined;
  /** Newest first. */
  previous: readonly Secret[];
  /** Every secret it ever had. */
  readonly everySecret: Set<string>;
  readonly createdAt: string;
  updatedAt: string;
  entityTag: string;
  readonly formerTags: string[];
}

/** The creation that an Idempotency-Key belongs to. */
export interface ModelledKey {
  readonly body: string;
  readonly id: string;
  readonly expiresAtMs: number;
}

/** The integrations of an account, as a plain model. */
export class IntegrationsModel {
  readonly live = new Map<string, ModelledIntegration>();
  readonly gone = new Set<string>();
  readonly keys = new Map<string, ModelledKey>();

  get ids(): string[] {
    return [...this.live.keys()].sort();
  }
}

export const actionsOf = (chosen: Actions): Actions => ({
  ...Object.fromEntries(EVENT_TYPES.map((type) => [type, false])),
  ...chosen,
});

/** The subscriptions of an integration that is created without any. */
export const DEFAULT_ACTIONS = actionsOf({ 'message.received': true, 'message.delivered': true });

/** The previous secrets with which deliveries are signed at an instant. */
export const inForceAt = ({ previous }: ModelledIntegration, nowMs: number): readonly Secret[] =>
  previous.filter(({ expiresAtMs }) => nowMs < expiresAtMs);

const MOST_PREVIOUS = 4;

interface Overlap {
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

const keptBeside = (
  current: string,
  replaced: Pick<Secret, 'text' | 'wasNext'> | undefined,
  { known, nowMs, expiresAtMs }: Overlap & { known: ModelledIntegration },
): readonly Secret[] => {
  const kept = [...(replaced ? [{ ...replaced, expiresAtMs }] : []), ...inForceAt(known, nowMs)];
  const others = kept.filter(({ text }) => text !== current);
  while (others.length > MOST_PREVIOUS) {
    const prepared = others.findLastIndex(({ wasNext }) => wasNext);
    others.splice(prepared, 1);
  }
  return others;
};

export const prepareRotation = (
  known: ModelledIntegration,
  text: string,
  overlap: Overlap,
): void => {
  const { next } = known;
  const replaced = next === undefined ? undefined : { text: next, wasNext: true };
  known.previous = keptBeside(text, replaced, { known, ...overlap });
  known.next = text === known.secret ? undefined : text;
};

export const switchSecret = (known: ModelledIntegration, named: string, overlap: Overlap): void => {
  const { secret } = known;
  const isRepeated = named === secret;
  const replaced = isRepeated ? undefined : { text: secret, wasNext: false };
  known.previous =
    overlap.expiresAtMs === overlap.nowMs ? [] : keptBeside(named, replaced, { known, ...overlap });
  if (isRepeated) return;
  known.secret = named;
  known.next = undefined;
};

/** Settings that are written with another secret end the ones before it. */
export const writeSecret = (integration: ModelledIntegration, text: string): void => {
  if (text !== integration.secret) {
    integration.previous = [];
    integration.next = undefined;
  }
  integration.secret = text;
};

export const shownAt = (
  integration: ModelledIntegration,
  nowMs: number,
  { shows }: { shows?: 'secret' | 'next' | undefined } = {},
): Record<string, unknown> => {
  const { id, active, baseUrl, actions, onFatalError, createdAt, updatedAt } = integration;
  const expiries = inForceAt(integration, nowMs).map(({ expiresAtMs }) => expiresAtMs);
  return {
    '@context': '/contexts/Integration.jsonld',
    '@type': 'Integration',
    id,
    active,
    provider: 'webhook',
    config: {
      baseUrl,
      webhookSecret: shows === 'secret' ? integration.secret : '[FILTERED]',
      ...(integration.next !== undefined && {
        nextWebhookSecret: shows === 'next' ? integration.next : '[FILTERED]',
      }),
      ...(integration.clientSecret !== undefined && { clientSecret: '[FILTERED]' }),
    },
    settings: { actions, onFatalError },
    status: active ? 'active' : 'inactive',
    isHealthy: true,
    setAsideEvents: 0,
    ...(expiries.length > 0 && {
      previousSecretExpiresAt: new Date(Math.max(...expiries)).toISOString(),
    }),
    createdAt,
    updatedAt,
  };
};
