import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../core/delivery/route-event.ts';
import {
  eventually,
  publish,
  publishText,
  register,
  sampleEvent,
} from '../support/journey/platform.ts';
import { newEventId } from '../support/journey/platform-of.ts';
import { eventsDeadLetter } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';

const receiver = await receiverOfFile();
await register(receiver.url('/routable'));

const without = (member: string): string => {
  const { [member]: _, ...rest } = sampleEvent() as Record<string, unknown>;
  return JSON.stringify(rest);
};

const unroutable: [what: string, text: string, reason: RegExp][] = [
  ['that is not JSON', `not json ${newEventId()}`, /not JSON/],
  ['that is a list', `["${newEventId()}"]`, /object/],
  ['of an unknown type', JSON.stringify(sampleEvent({ type: 'message.read' })), /^type: /],
  ['without an account', without('account'), /^account: /],
  ['without an id', without('id').replace('Hello', newEventId()), /^id: /],
  ['without data', without('data'), /^data: /],
  ['whose data is a text', JSON.stringify(sampleEvent({ data: 'text' })), /^data: /],
  [
    'whose id has other characters',
    JSON.stringify(sampleEvent({ id: `a.b/${newEventId()}` })),
    /^id: /,
  ],
  [
    'that happened at no time',
    JSON.stringify(sampleEvent({ occurredAt: 'today' })),
    /^occurredAt: /,
  ],
  [
    'whose webhook body would have more than 256 KiB',
    JSON.stringify(sampleEvent({ data: { text: 'x'.repeat(MAX_BODY_BYTES) } })),
    /^the webhook body has \d+ bytes, and at most 262144 are delivered$/,
  ],
];

describe('A message of the events queue', () => {
  it.each(unroutable)('%s becomes a dead letter with the reason', async (_what, text, reason) => {
    await publishText(text);

    const letter = await eventually(
      () => eventsDeadLetter(text),
      (found) => found !== undefined,
    );
    expect(letter?.MessageAttributes?.reason?.StringValue).toMatch(reason);
  });

  it('that cannot be routed disturbs none of those beside it', async () => {
    const good = sampleEvent();

    await Promise.all([
      publishText('{'),
      publish(good),
      publishText(JSON.stringify(sampleEvent({ type: 'nonsense' }))),
    ]);

    const request = await receiver.requests.where(({ body }) => body.includes(good.id));
    expect(request.path).toBe('/routable');
  });

  it('of an account that has no webhook is done with quietly', async () => {
    const forNobody = sampleEvent({ account: 'nobody-is-here' });
    const good = sampleEvent();

    await publish(forNobody);
    await publish(good);

    await receiver.requests.where(({ body }) => body.includes(good.id));
    expect(receiver.requests.all.some(({ body }) => body.includes(forNobody.id))).toBe(false);
  });
});
