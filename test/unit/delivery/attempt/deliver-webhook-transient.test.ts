import { describe, expect, it } from 'vitest';
import {
  aDeliverer,
  answering,
  backingOff,
  INTEGRATION,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  UNTROUBLED,
  WINDOW_MS,
} from '../../../support/delivery/attempt/troubled-deliverer.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

describe('a transient result', () => {
  it('backs off: nothing but its count changes', async () => {
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject(backingOff(15));
    expect(integrations.all).toEqual([{ ...UNTROUBLED, transients: 1 }]);
    expect([...schedules.all, ...pendingEvents.of(INTEGRATION)]).toEqual([]);
  });

  it('backs off longer each time the message is received, whatever came before it', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const result = await deliver(queued(4, { priorAttempts: 9 }));
    expect(result).toMatchObject(backingOff(120));
  });

  it('spreads by chance when it is tried again', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504), random: 0 });
    expect(await deliver()).toMatchObject(backingOff(12));
  });

  it.each(['120', 'Fri, 20 Nov 2026 12:02:00 GMT'])(
    'waits as long as the endpoint asks for: %s',
    async (retryAfter) => {
      const { deliver } = aDeliverer({ endpoint: answering(504, retryAfter) });
      expect(await deliver()).toMatchObject(backingOff(120));
    },
  );

  it('is tried for the last time at the end of the window', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000 - 1);
    const result = await deliver({ ...queued(19), firstReceivedAt });
    expect(result).toMatchObject(backingOff(1));
  });

  it('is fatal at the end of the window', async () => {
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    const result = await deliver({ ...queued(20), firstReceivedAt });
    expect(result).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed', statusCode: 504 } }]);
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 20 }]);
  });

  it('does not make the integration busy as the nineteenth in a row', async () => {
    const stored = { ...UNTROUBLED, transients: 18 };
    const { deliver, integrations } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toEqual([{ ...UNTROUBLED, transients: 19 }]);
  });

  it('makes the integration busy as the twentieth in a row, and goes on as its probe', async () => {
    const stored = { ...UNTROUBLED, transients: 19 };
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      stored,
      endpoint: answering(504),
    });
    const result = await deliver();
    expect(result).toMatchObject({ ...backingOff(15), became: 'busy' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'busy', statusCode: 504 } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('beyond the twentieth has a new event stored as pending, for there are probes enough', async () => {
    const stored = { ...UNTROUBLED, transients: 20 };
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver()).toMatchObject({ kind: 'pending', made: { attempt: { number: 1 } } });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 1 }]);
  });

  it('beyond the twentieth leaves a probe among the probes', async () => {
    const stored = { ...UNTROUBLED, transients: 20 };
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver(queued(2))).toMatchObject(backingOff(30));
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('does not count against settings that were changed since its attempt began', async () => {
    const stored = { ...UNTROUBLED, transients: 19 };
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, stored);
      return answered(504);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver(queued(2))).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toEqual([changed]);
  });

  it('has its first event, which nothing counts, stored and replayed, so that thousands cannot back off', async () => {
    const stored = { ...UNTROUBLED, transients: 19 };
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(anIntegration({ epoch: 5, revision: 2 }), stored);
      return answered(504);
    });
    const { deliver, integrations, pendingEvents, replays } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 1 }]);
    expect(replays.requested).toHaveLength(1);
  });
});
