import fc from 'fast-check';
import type { Fate } from './customer-endpoints.ts';
import { type Action, fate, integration, type Scene, steps } from './scenes.ts';

/**
 * An action of a sequence, and the call that goes wrong after it. A sequence leads into a situation
 * that is easily handled wrongly and that scenes drawn one by one seldom lead into. What else goes
 * wrong there is left to chance.
 */
type Draft = readonly [Action, failingCall?: string];

const ok: Action = { kind: 'behave', at: undefined, behaviour: 'ok' };
const error: Action = { kind: 'behave', at: undefined, behaviour: 'error' };
const timeout: Action = { kind: 'behave', at: undefined, behaviour: 'gateway-timeout' };
const publish = (events: number, fate?: Fate): Action => ({
  kind: 'publish',
  events,
  isSubscribed: true,
  fate,
});
const firing: Action = { kind: 'wait-for-schedule', leadMs: 0, events: 0, behaviour: undefined };
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

/** An inactive integration has pending events, may keep others, and is made active again or deleted. */
const pause = fc
  .tuple(
    integration,
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom(undefined, 'integrations.replace', 'replays.request'),
  )
  .map(([of, keeps, isDeleted, failingCall]): Draft[] => {
    const changeTo = (active: boolean): Action => ({
      kind: 'change',
      integration: of,
      active,
      address: 0,
      secret: 0,
      keeps,
    });
    const end: Action = isDeleted ? { kind: 'delete', integration: of } : changeTo(true);
    const meanwhile: Draft[] = keeps ? [[publish(3)], [wait(1)]] : [];
    return [
      [error],
      [publish(2)],
      [wait(1)],
      [changeTo(false)],
      [ok],
      ...meanwhile,
      [end, failingCall],
    ];
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

/**
 * Events that the endpoint never confirms stand before, between or behind others when an outage
 * ends, and the integration has to find one of the others.
 */
const siege = fc
  .tuple(
    fc.constantFrom(error, timeout, { ...ok, behaviour: 'response-timeout' as const }),
    fc.tuple(fate, fc.oneof(fc.constant(0), fc.nat({ max: 12 }))),
    fc.nat({ max: 5 }),
    fc.tuple(fate, fc.nat({ max: 4 })),
    fc.constantFrom(1, 2, 9),
  )
  .map(([outage, [before, older], between, [behind, newer], hours]): Draft[] => [
    [outage],
    [publish(older, before)],
    [wait(1)],
    [publish(between)],
    [wait(1)],
    [publish(newer, behind)],
    [wait(7)],
    [ok],
    ...Array.from({ length: hours }, (): Draft[] => [[firing], [wait(7)]]).flat(),
  ]);

/** An event that gets no answer is set aside while others are confirmed, and then sent again. */
const pardon = fc
  .tuple(fc.constantFrom('hanging', 'delayed'), fc.constantFrom(ok, error, timeout), integration)
  .map(([fate, answer, of]): Draft[] => [
    [ok],
    [publish(1, fate)],
    [wait(60)],
    [publish(1)],
    [wait(60)],
    [answer],
    [{ kind: 'resend', integration: of, back: 1 }],
    [wait(1)],
  ]);

/** Events come at a steady rate, and some are never confirmed; the settings change meanwhile. */
const traffic = fc
  .tuple(
    fc.array(fc.option(fate, { nil: undefined, freq: 3 }), { minLength: 3, maxLength: 10 }),
    fc.constantFrom(7, 30, 60),
    integration,
    fc.constantFrom(undefined, 'states.extendStreak', 'states.confirm'),
  )
  .map(([fates, minutes, of, failingCall]): Draft[] => [
    [ok],
    ...fates.flatMap((each, index): Draft[] => [
      [publish(1, each), failingCall],
      [wait(minutes)],
      ...(index === 2 ? [[rotation(of)] as const] : []),
    ]),
  ]);

const rotation = (of: number): Action => ({
  kind: 'change',
  integration: of,
  active: true,
  address: 0,
  secret: 1,
});

/** A call of an hourly retry goes wrong, or one of its second try. */
const stumble = fc
  .tuple(
    events,
    fc.constantFrom(
      'states.claimRetry',
      'pendingEvents.oldest',
      'deliveryLog.read',
      'endpoint.post',
      'deliveryLog.write',
      'states.noteAttempt',
    ),
    fc.boolean(),
  )
  .map(([more, failingCall, isRepaired]): Draft[] => [
    [error],
    [publish(more)],
    [wait(1)],
    [isRepaired ? ok : error],
    [firing, failingCall],
    [wait(7)],
  ]);

/** The platform sends events again, minutes after they were delivered. */
const repetition = fc
  .tuple(events, fc.nat({ max: 3 }), fc.constantFrom(1, 7, 30))
  .map(([first, back, minutes]): Draft[] => [
    [ok],
    [publish(first)],
    [wait(minutes)],
    [{ kind: 'send-again', back }],
    [wait(1)],
  ]);

export const sequence: fc.Arbitrary<Scene[]> = fc
  .tuple(
    fc.oneof(
      ...[relapse, comeback, comeback, comeback, pause, congestion, offence, offence],
      ...[siege, siege, pardon, traffic, stumble, stumble, repetition],
    ),
    fc.array(steps, { minLength: 6, maxLength: 6 }),
  )
  .map(([drafts, drawn]) =>
    drafts.map(([action, failingCall], index) => ({
      action,
      failingCall,
      steps: drawn[index] ?? drawn[0] ?? 0,
    })),
  );
