import fc from 'fast-check';
import { type Action, integration, type Scene, steps } from './scenes.ts';

/**
 * Ways into the places where little is between right and wrong, which scenes drawn one by one
 * seldom find. What goes wrong there is left to chance.
 */
type Draft = readonly [Action, doomed?: string];

const ok: Action = { kind: 'behave', at: undefined, behaviour: 'ok' };
const error: Action = { kind: 'behave', at: undefined, behaviour: 'error' };
const timeout: Action = { kind: 'behave', at: undefined, behaviour: 'gateway-timeout' };
const publish = (events: number): Action => ({ kind: 'publish', events, isSubscribed: true });
const wait = (minutes: number): Action => ({ kind: 'wait', minutes });

const events = fc.integer({ min: 1, max: 4 });
const leadMs = fc.constantFrom(0, 50, 100, 200);

/** A worker dies on its way into trouble; when the schedule that it left fires, others follow. */
const relapse = fc
  .tuple(leadMs, events)
  .map(([lead, more]): Draft[] => [
    [error],
    [publish(1), 'states.begin'],
    [ok],
    [wait(7)],
    [{ kind: 'wait-for-schedule', leadMs: lead, events: more, behaviour: 'error' }],
  ]);

/** Events are being stored while the hourly attempt succeeds. */
const comeback = fc
  .tuple(leadMs, fc.integer({ min: 2, max: 8 }), fc.constantFrom(undefined, 'again.request'))
  .map(([lead, more, doomed]): Draft[] => [
    [error],
    [publish(1)],
    [wait(1)],
    [{ kind: 'wait-for-schedule', leadMs: lead, events: more, behaviour: 'ok' }, doomed],
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

/** Events wait for an inactive integration that is made active again, or deleted. */
const pause = fc
  .tuple(
    integration,
    fc.boolean(),
    fc.constantFrom(undefined, 'integrations.replace', 'replays.request'),
  )
  .map(([of, isDeleted, doomed]): Draft[] => {
    const changeTo = (active: boolean): Action => ({
      kind: 'change',
      integration: of,
      active,
      address: 0,
      secret: 0,
    });
    const end: Action = isDeleted ? { kind: 'delete', integration: of } : changeTo(true);
    return [[error], [publish(2)], [wait(1)], [changeTo(false)], [ok], [end, doomed]];
  });

export const story: fc.Arbitrary<Scene[]> = fc
  .tuple(
    fc.oneof(relapse, comeback, comeback, comeback, pause, congestion),
    fc.array(steps, { minLength: 6, maxLength: 6 }),
  )
  .map(([drafts, drawn]) =>
    drafts.map(([action, doomed], index) => ({ action, doomed, steps: drawn[index] ?? 0 })),
  );
