import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/journey/platform.ts';
import {
  assembleLocal,
  type SeparateRun,
  startSeparateRun,
} from '../support/journey/separate-run.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer, refuseOnly } from '../support/receiver/receiver-behaviours.ts';

const stateDirectory = inject('stateDirectory');

const HOUR_SECONDS = 2;

let separate: SeparateRun;
beforeAll(async () => {
  if (stateDirectory === undefined) return;
  separate = await startSeparateRun(
    `${stateDirectory}-hours`,
    async (directory) => {
      assembleLocal(directory, { hourSeconds: HOUR_SECONDS });
    },
    {
      hourSeconds: HOUR_SECONDS,
      onFunctionFailure: (failure) => console.error('A function failed:', failure),
    },
  );
});
afterAll(() => separate?.stop());

describe.skipIf(stateDirectory === undefined)('An event that its endpoint refuses', () => {
  it('is set aside at the end of its window, and delivered by a resend', async () => {
    const { receiver } = separate;
    const customer = await separate.newCustomer();
    const [refused, other] = customer.sampleEvents(2);
    if (!refused || !other) throw new Error('There are no events.');
    receiver.behave('/refuses-one', refuseOnly(refused));
    const { id } = await customer.register(receiver.url('/refuses-one'));
    const read = async () => (await customer.call('GET', id)).document;
    const counted = (count: number) =>
      eventually(read, ({ setAsideEvents }) => setAsideEvents === count);

    await customer.publish(refused);
    await eventually(read, ({ status }) => status === 'failed');
    await customer.publish(other);

    expect(await counted(1)).toMatchObject({ status: 'active', isHealthy: true });
    const list = await customer.call('GET', `${id}/pending-events?state=set-aside`);
    expect(list.document).toMatchObject({
      totalItems: 1,
      member: [{ id: `${id}/deliveries/${refused.id}`, isSetAside: true }],
    });

    receiver.behave('/refuses-one', answer(200));
    const resent = await customer.call('POST', `${id}/deliveries/${refused.id}/resend`);
    expect(resent.status).toBe(202);
    expect(await counted(0)).toMatchObject({ status: 'active' });
  });
});

describe.skipIf(stateDirectory === undefined)('An endpoint that answers 504 for a window', () => {
  it('fails its integration, and is sent the event again after an hour', async () => {
    const { receiver, state } = separate;
    const customer = await separate.newCustomer();
    receiver.behave('/window', answer(504));
    const deliveries = new DeliveriesTo(receiver, '/window');
    const { id, bareId } = await customer.register(receiver.url('/window'));
    const event = customer.sampleEvent();

    await customer.publish(event);

    const failed = await eventually(
      () => customer.call('GET', id),
      ({ document }) => document.status === 'failed',
    );
    expect(failed.document).toMatchObject({ isHealthy: false, failure: { statusCode: 504 } });
    const inBackoff = (await state.attemptsOf(bareId)).map(({ trigger }) => trigger);
    expect(inBackoff.slice(0, 3)).toEqual(['event', 'backoff', 'backoff']);

    receiver.behave('/window', answer(200));
    const attempts = await eventually(
      () => state.attemptsOf(bareId),
      (made) => made.some(({ outcome }) => outcome === 'delivered'),
    );
    expect(new Set(deliveries.events)).toEqual(new Set([event.id]));
    expect(attempts.at(-1)).toMatchObject({ trigger: 'hourly' });
  });
});
