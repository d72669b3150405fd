// The documents of the API, with the types of the modules that present them. The console imports
// types from core, the event types, the checks of filters, the list of settings, and the words for
// what endpoints do.
import type {
  presentRecovery,
  presentRetry,
  presentWebhookTest,
} from '../../../../core/delivery/resources/send-resources.ts';
import type { StatisticsResource as Statistics } from '../../../../core/delivery/statistics/statistics-resource.ts';
import type { AccessTokenResource } from '../../../../core/directory/access-token-resource.ts';
import type { GetMe } from '../../../../core/directory/get-me.ts';
import type { presentEventTypes } from '../../../../core/event/event-type-resource.ts';
import type { EventType } from '../../../../core/event/event-types.ts';
import type { IntegrationResource } from '../../../../core/integration/integration-resource.ts';
import type { presentCollection } from '../../../../core/json-ld/collection.ts';

export type { Change } from '../../../../core/changes/change-resource.ts';
export { CONFIRMED_OTHERS, customerLimits, IN_WORDS } from '../../../../core/customer-limits.ts';
export {
  adviceFor,
  capitalised,
  type Observed,
  statusInWords,
} from '../../../../core/delivery/advice.ts';
export type {
  AttemptDocument as Attempt,
  DeliveryDetailsDocument as DeliveryDetails,
  DeliveryDocument as Delivery,
} from '../../../../core/delivery/resources/delivery-resource.ts';
export type { AccountResource as Account } from '../../../../core/directory/account-resource.ts';
export type { UserResource as User } from '../../../../core/directory/user-resource.ts';
export { type FilterFault, filterFaults } from '../../../../core/event/event-filter.ts';
export { EVENT_TYPES } from '../../../../core/event/event-types.ts';
export {
  canMatch,
  type DataSchema,
  filterWarnings,
} from '../../../../core/event/filter-names.ts';
export { isNestedTooDeeply, MAX_NESTING } from '../../../../core/event/json-nesting.ts';
export { repeatedMember } from '../../../../core/event/repeated-member.ts';
export { FILTERED } from '../../../../core/integration/endpoint-headers.ts';
export {
  differencesIn,
  labelOf,
  SETTING_LABELS,
} from '../../../../core/integration/found-settings.ts';
export type { ProblemDocument as Problem } from '../../../../lambdas/api/runtime/problem-resource.ts';
export type {
  AccessTokenResource as AccessToken,
  EventType,
  IntegrationResource as Integration,
  Statistics,
};

export type Status = IntegrationResource['status'];
export type WhileInactive = NonNullable<IntegrationResource['settings']['whileInactive']>;
export type OnFatalError = IntegrationResource['settings']['onFatalError'];

export type Collection<Member> = ReturnType<typeof presentCollection<Member>>;
export type EventTypeCollection = ReturnType<typeof presentEventTypes>;
export type EventTypeEntry = EventTypeCollection['member'][number];

export type WebhookTest = ReturnType<typeof presentWebhookTest>;
export type Retry = ReturnType<typeof presentRetry>;
export type Recovery = ReturnType<typeof presentRecovery>;

/** The user who is signed in. */
export type Me = Awaited<ReturnType<GetMe>>;
export type Role = Me['role'];

/** The response that creates an access token. No other response contains the token. */
export type IssuedAccessToken = AccessTokenResource & { readonly token: string };

/** The attempts of an hour or a day. */
export type AttemptCounts = Statistics['hours'][number];
