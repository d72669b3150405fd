import { describe, expect, it } from 'vitest';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  BUSY,
  FAILED,
  INTEGRATION,
  queued,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

describe('a delivery whose integration cannot take it now', () => {
  it.each([
    ['failed', FAILED, queued(1)],
    ['failed meanwhile', FAILED, queued(4)],
    ['failed at its replay', FAILED, queued(1, { trigger: 'replay' })],
    ['busy', BUSY, queued(1)],
    ['inactive since it was routed', anIntegration({ active: false }), queued(1)],
    ['inactive since it was received first', anIntegration({ active: false }), queued(2)],
    ['inactive at its replay', anIntegration({ active: false }), queued(1, { trigger: 'replay' })],
  ])(
    'is stored as pending without an attempt when the integration is %s',
    async (_case, stored, message) => {
      const { deliver, pendingEvents, integrations } = aDeliverer({ stored });
      expect(await deliver(message)).toEqual({ kind: 'pending' });
      expect(pendingEvents.of(INTEGRATION)).toMatchObject([
        { event: message.delivery.event, priorAttempts: message.receiveCount - 1 },
      ]);
      expect(integrations.all).toEqual([stored]);
    },
  );
});

describe('a fatal result', () => {
  it('has the event stored as pending, with its attempts counted', async () => {
    const { deliver, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    const result = await deliver(queued(3, { trigger: 'replay', priorAttempts: 5 }));
    expect(result).toMatchObject({ kind: 'pending', made: { attempt: { number: 8 } } });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 8 }]);
  });

  it('does not fail settings that were changed since its attempt began', async () => {
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, UNTROUBLED);
      return answered(500);
    });
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint });
    expect(await deliver()).toMatchObject({ kind: 'outdated', made: { attempt: { number: 1 } } });
    expect(integrations.all).toEqual([changed]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('keeps its message in the queue when the event cannot be stored', async () => {
    const { deliver, pendingEvents } = aDeliverer({ endpoint: answering(500) });
    Object.assign(pendingEvents, { put: () => Promise.reject(new Error('throttled')) });
    await expect(deliver()).rejects.toThrow('throttled');
  });
});
