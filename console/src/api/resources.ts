// The documents of the API, by the types of the modules that present them. Types alone may be
// imported from core: the console has nothing of core when it runs.
import type { REASONS } from '../../../core/delivery/attempt.ts';
import type { presentRecovery } from '../../../core/delivery/shown/recovery-resource.ts';
import type { presentRetry } from '../../../core/delivery/shown/retry-resource.ts';
import type { presentWebhookTest } from '../../../core/delivery/shown/webhook-test-resource.ts';
import type { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import type { EventType } from '../../../core/event/event-types.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';
import type { presentCollection } from '../../../core/json-ld/collection.ts';

export type {
  AttemptDocument as Attempt,
  DeliveryDetailsDocument as DeliveryDetails,
  DeliveryDocument as Delivery,
} from '../../../core/delivery/shown/delivery-resource.ts';
export type { ProblemDocument as Problem } from '../../../lambdas/_runtime/problem-resource.ts';
export type { EventType, IntegrationResource as Integration };

/** Why an attempt got no answer, in the words of the API. */
export type ReasonInWords = (typeof REASONS)[keyof typeof REASONS];

export type Status = IntegrationResource['status'];
export type Actions = IntegrationResource['settings']['actions'];

export type Collection<Member> = ReturnType<typeof presentCollection<Member>>;
export type EventTypeCollection = ReturnType<typeof presentEventTypes>;
export type EventTypeEntry = EventTypeCollection['member'][number];

export type WebhookTest = ReturnType<typeof presentWebhookTest>;
export type Retry = ReturnType<typeof presentRetry>;
export type Recovery = ReturnType<typeof presentRecovery>;

export type Role = 'admin' | 'member';

/** Who is signed in. */
export interface Me {
  readonly '@type': 'Me';
  readonly user: string;
  readonly userName: string;
  /** Path of the account that the user belongs to. */
  readonly account: string;
  /** Path of the account at the top of the hierarchy, whose integrations the user sees. */
  readonly organisation: string;
  readonly role: Role;
}

export interface Account {
  readonly '@type': 'Account';
  readonly id: string;
  readonly name: string;
  /** Path of the account above; absent at the top. */
  readonly parent?: string;
  readonly isOrganisation: boolean;
  readonly createdAt: string;
}

export interface User {
  readonly '@type': 'User';
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly role: Role;
  readonly createdAt: string;
}

export interface AccessToken {
  readonly '@type': 'AccessToken';
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

/** An access token in the answer that made it, which alone shows the token. */
export interface IssuedAccessToken extends AccessToken {
  readonly token: string;
}

/** The attempts of an hour or a day. */
export interface AttemptCounts {
  readonly start: string;
  readonly delivered: number;
  readonly transient: number;
  readonly fatal: number;
  readonly p95Ms?: number;
}

export interface Statistics {
  readonly '@type': 'Statistics';
  readonly id: string;
  readonly webHook: string;
  /** The last 24, oldest first. */
  readonly hours: readonly AttemptCounts[];
  /** The last 30, oldest first. */
  readonly days: readonly AttemptCounts[];
  readonly pendingEvents: number;
  readonly setAsideEvents: number;
}
