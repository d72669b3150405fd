import fc from 'fast-check';
import type { Change } from './api-calls.ts';
import { ALL_FATES, BEHAVIOURS, type Behaviour, type Fate } from './customer-endpoints.ts';

export type Action =
  | {
      readonly kind: 'publish';
      readonly events: number;
      readonly isSubscribed: boolean;
      /** What endpoints that work do with these events; undefined if they confirm them. */
      readonly fate: Fate | undefined;
    }
  /** The platform sends an event again; `back` events were published after it. */
  | { readonly kind: 'send-again'; readonly back: number }
  | {
      readonly kind: 'behave';
      /** One address of one integration; undefined for all endpoints. */
      readonly at: { readonly integration: number; readonly address: number } | undefined;
      readonly behaviour: Behaviour;
    }
  | ({ readonly kind: 'change' } & Change)
  | { readonly kind: 'delete'; readonly integration: number }
  | { readonly kind: 'resend'; readonly integration: number; readonly back: number }
  | { readonly kind: 'recover'; readonly integration: number; readonly minutes: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  /**
   * Waits until `leadMs` before a schedule fires and then publishes events, so that they are
   * delivered beside the hourly retry.
   */
  | {
      readonly kind: 'wait-for-schedule';
      readonly leadMs: number;
      readonly events: number;
      readonly behaviour: Behaviour | undefined;
    };

/** An action, and how many steps the machine takes before the next action. */
export interface Scene {
  readonly action: Action;
  /** Name of a port's method whose next call goes wrong. */
  readonly failingCall: string | undefined;
  readonly steps: number;
}

/** Calls whose failure leaves something half done. */
const FAILING_CALLS = [
  'afterStoring.find',
  'afterStoring.request',
  'deliveryLog.confirmedSince',
  'deliveryLog.read',
  'deliveryLog.write',
  'deliveries.delete',
  'deliveries.enqueue',
  'endpoint.post',
  'integrations.remove',
  'integrations.replace',
  'pendingEvents.countAttempt',
  'pendingEvents.newest',
  'pendingEvents.oldest',
  'pendingEvents.put',
  'pendingEvents.removeOf',
  'pendingEvents.removeAllAsRead',
  'pendingEvents.removeAsRead',
  'replays.request',
  'schedules.ensure',
  'schedules.remove',
  'states.claimRetry',
  'states.closeEpoch',
  'states.begin',
  'states.confirm',
  'states.extendStreak',
  'states.recover',
  'states.noteAttempt',
] as const;

export const INTEGRATIONS = 2;
export const integration = fc.nat({ max: INTEGRATIONS - 1 });
const address = fc.nat({ max: 1 });

export const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('ok') },
  { weight: 3, arbitrary: fc.constant('error') },
  { weight: 3, arbitrary: fc.constant('gateway-timeout') },
  { weight: 3, arbitrary: fc.constantFrom(...BEHAVIOURS) },
);

export const fate = fc.constantFrom(...ALL_FATES);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      events: fc.integer({ min: 1, max: 4 }),
      isSubscribed: fc.nat({ max: 9 }).map((drawn) => drawn > 0),
      fate: fc.option(fate, { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('send-again' as const), back: fc.nat({ max: 5 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('behave' as const),
      at: fc.option(fc.record({ integration, address }), { nil: undefined }),
      behaviour,
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        kind: fc.constant('change' as const),
        integration,
        active: fc.nat({ max: 2 }).map((drawn) => drawn > 0),
        address,
        secret: fc.nat({ max: 2 }),
      })
      .map((change) => ({ ...change, keeps: change.secret > 0 })),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), integration }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resend' as const),
      integration,
      back: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('recover' as const),
      integration,
      minutes: fc.constantFrom(1, 60, 800),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 7, 30, 60, 120, 800),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('wait-for-schedule' as const),
      leadMs: fc.constantFrom(0, 50, 100, 200, 10_000),
      events: fc.nat({ max: 4 }),
      behaviour: fc.option(fc.constantFrom('ok', 'error', 'varying'), { nil: undefined }),
    }),
  },
);

const failingCall = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...FAILING_CALLS) },
);

export const steps = fc.nat({ max: 30 });
export const scene: fc.Arbitrary<Scene> = fc.record({ action, failingCall, steps });
