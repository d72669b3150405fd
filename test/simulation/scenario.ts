import fc from 'fast-check';
import { CALM, type Chaos } from './chance.ts';
import type { Behaviour } from './customer-endpoints.ts';
import {
  type Action,
  behaviour,
  INTEGRATIONS,
  integration,
  type Scene,
  scene,
  steps,
} from './scenes.ts';
import type { Settings } from './world.ts';

/**
 * An action of a sequence, and the call that goes wrong after it. A sequence leads into a situation
 * that is easily handled wrongly and that scenes drawn one by one seldom lead into. What else goes
 * wrong there is left to chance.
 */
type Draft = readonly [Action, failingCall?: string];

const ok: Action = { kind: 'behave', at: undefined, behaviour: 'ok' };
const error: Action = { kind: 'behave', at: undefined, behaviour: 'error' };
const timeout: Action = { kind: 'behave', at: undefined, behaviour: 'gateway-timeout' };
const publish = (events: number): Action => ({ kind: 'publish', events, isSubscribed: true });
const wait = (minutes: number): Action => ({ kind: 'wait', minutes });

const events = fc.integer({ min: 1, max: 4 });
const leadMs = fc.constantFrom(0, 50, 100, 200);

/**
 * A worker dies before it puts an integration into trouble, and leaves a schedule. When the
 * schedule fires, more events fail.
 */
const relapse = fc
  .tuple(leadMs, events)
  .map(([lead, more]): Draft[] => [
    [error],
    [publish(1), 'states.begin'],
    [ok],
    [wait(7)],
    [{ kind: 'wait-for-schedule', leadMs: lead, events: more, behaviour: 'error' }],
  ]);

/** Events are stored as pending while the hourly retry succeeds. */
const comeback = fc
  .tuple(leadMs, fc.integer({ min: 2, max: 8 }), fc.constantFrom(undefined, 'afterStoring.request'))
  .map(([lead, more, failingCall]): Draft[] => [
    [error],
    [publish(1)],
    [wait(1)],
    [{ kind: 'wait-for-schedule', leadMs: lead, events: more, behaviour: 'ok' }, failingCall],
  ]);

/** A gateway is slow for a while: some messages back off, and their next attempts succeed. */
const congestion = fc
  .tuple(events, events)
  .map(([first, more]): Draft[] => [
    [timeout],
    [publish(first)],
    [publish(more)],
    [wait(1)],
    [ok],
    [wait(7)],
  ]);

/** An inactive integration has pending events, and is made active again or deleted. */
const pause = fc
  .tuple(
    integration,
    fc.boolean(),
    fc.constantFrom(undefined, 'integrations.replace', 'replays.request'),
  )
  .map(([of, isDeleted, failingCall]): Draft[] => {
    const changeTo = (active: boolean): Action => ({
      kind: 'change',
      integration: of,
      active,
      address: 0,
      secret: 0,
    });
    const end: Action = isDeleted ? { kind: 'delete', integration: of } : changeTo(true);
    return [[error], [publish(2)], [wait(1)], [changeTo(false)], [ok], [end, failingCall]];
  });

/** An event is refused, another is confirmed by the hourly retry, and the first is refused again. */
const offence = fc
  .tuple(events, fc.constantFrom(undefined, 'setAsideEvents.add', 'states.countSetAside'))
  .map(([more, failingCall]): Draft[] => [
    [error],
    [publish(1)],
    [wait(1)],
    [publish(more)],
    [{ kind: 'wait-for-schedule', leadMs: 0, events: 0, behaviour: 'ok' }],
    [error, failingCall],
  ]);

const sequence: fc.Arbitrary<Scene[]> = fc
  .tuple(
    fc.oneof(relapse, comeback, comeback, comeback, pause, congestion, offence, offence),
    fc.array(steps, { minLength: 6, maxLength: 6 }),
  )
  .map(([drafts, drawn]) =>
    drafts.map(([action, failingCall], index) => ({
      action,
      failingCall,
      steps: drawn[index] ?? 0,
    })),
  );

export interface Scenario {
  readonly settings: Settings;
  readonly chaos: Chaos;
  /** The behaviour of all endpoints at first. */
  readonly first: Behaviour;
  readonly script: readonly Scene[];
}

const rates = (...probabilities: number[]) => fc.constantFrom(0, ...probabilities);

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  settings: fc.record({
    seed: fc.noShrink(fc.nat()),
    integrations: fc.integer({ min: 1, max: INTEGRATIONS }),
    busyAfter: fc.constantFrom(2, 4, 20),
    backoffLimits: fc.constantFrom(
      { most: 1, probes: 1 },
      { most: 3, probes: 1 },
      { most: 50, probes: 3 },
    ),
    windowMs: fc.constantFrom(300_000, 3_600_000, 43_200_000),
    onFatalError: fc.constantFrom('pause', 'continue'),
    batchSize: fc.constant(3),
    pageSize: fc.constant(2),
  }),
  chaos: fc.oneof(
    { weight: 1, arbitrary: fc.constant(CALM) },
    {
      weight: 7,
      arbitrary: fc.record({
        crash: rates(0.02, 0.06),
        fault: rates(0.02, 0.06),
        repeat: rates(0.02, 0.06),
        stall: rates(0.02, 0.1),
        slow: rates(0.2, 0.4),
        duplicate: rates(0.05, 0.2),
        misfire: rates(0.2),
        outOfTime: rates(0.02, 0.1),
      }),
    },
  ),
  first: behaviour,
  script: fc
    .array(
      fc.oneof({ weight: 5, arbitrary: fc.tuple(scene) }, { weight: 1, arbitrary: sequence }),
      {
        minLength: 3,
        maxLength: 12,
        size: 'max',
      },
    )
    .map((parts) => parts.flat()),
});
