import { describe, expect, it } from 'vitest';
import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../../core/delivery/attempt/make-attempt.ts';
import type { SecretOpener } from '../../../../core/integration/stored-secrets.ts';
import {
  aDeliverer,
  answering,
  NOON,
  queued,
  UNTROUBLED,
} from '../../../support/delivery/attempt/troubled-deliverer.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { InMemorySecrets, sealedInMemory } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler, kept } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';
import { untouchable } from '../../../support/untouchable.ts';

const place = { account: 'acme', integration: anIntegration().id, field: 'webhookSecret' } as const;
const config = {
  ...anIntegration().config,
  webhookSecret: sealedInMemory('a secret of the tests', place),
};
const SEALED = { ...UNTROUBLED, config };

const throttled: SecretOpener = { open: () => Promise.reject(new Error('throttled')) };

describe('a delivery whose secret cannot be opened', () => {
  it('is our fault: nothing is sent, logged or counted, and its message comes back', async () => {
    const { deliver, deliveryLog, integrations, pendingEvents, schedules } = aDeliverer({
      stored: SEALED,
      secrets: throttled,
    });

    await expect(deliver()).rejects.toThrow('throttled');

    expect(deliveryLog.attempts).toEqual([]);
    expect(integrations.all).toEqual([SEALED]);
    expect(pendingEvents.of(SEALED.id)).toEqual([]);
    expect(schedules.all).toEqual([]);
  });

  it('frees its place in the slow lane', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: { ...SEALED, slowAt: NOON.toISOString() },
      secrets: throttled,
      lane: 'slow',
    });

    await expect(deliver()).rejects.toThrow('throttled');

    expect(integrations.all[0]?.slots).toEqual({});
  });

  it('is attempted when it can be opened again, as after any fault of ours', async () => {
    const endpoint = answering(200);
    const { deliver } = aDeliverer({ stored: SEALED, endpoint });

    expect(await deliver(queued(2))).toMatchObject({ kind: 'delivered' });
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe('a batch with a secret that cannot be opened', () => {
  it('keeps that delivery, and delivers those of other integrations', async () => {
    const other = anIntegration({ id: 'bbbbbbbbbbbb' });
    const endpoint = new ScriptedWebhookEndpoint(() => answered(200));
    const { handler, logger } = aDeliveringHandler({
      // Sealed for another integration, as when somebody has moved it.
      integrations: new InMemoryIntegrations({ ...other, config }, anIntegration()),
      endpoint,
    });

    const response = await handler(
      aBatch(
        deliveryRecord('m1', aDelivery({ integration: other.id })),
        deliveryRecord('m2', aDelivery()),
      ),
    );

    expect(response).toEqual(kept('m1'));
    expect(endpoint.requests).toHaveLength(1);
    expect(JSON.stringify(logger.lines)).toContain('sealed for another place');
  });
});

describe('a secret that takes long to open', () => {
  it('makes neither the attempt nor the endpoint slow', async () => {
    const steps: string[] = [];
    let now = NOON.getTime();
    const secrets: SecretOpener = {
      open: async (sealed, of) => {
        steps.push('opened');
        now += 9_000;
        return new InMemorySecrets().open(sealed, of);
      },
    };
    const makeAttempt = buildMakeAttempt({
      secrets,
      endpoint: answering(200),
      now: () => new Date(now),
      userAgent: 'test',
    });

    const { attempt } = await makeAttempt(aDelivery(), SEALED, {
      number: 1,
      trigger: 'event',
      watch: (made) => {
        steps.push('watched');
        return made;
      },
    });

    expect(steps).toEqual(['opened', 'watched']);
    expect([attempt.startedAt, attempt.durationMs]).toEqual([new Date(now), 0]);
  });

  it('is not watched when it fails', async () => {
    const makeAttempt = buildMakeAttempt({
      secrets: throttled,
      endpoint: untouchable<WebhookEndpoint>('the endpoint'),
      now: () => NOON,
      userAgent: 'test',
    });

    const making = makeAttempt(aDelivery(), SEALED, {
      number: 1,
      trigger: 'event',
      watch: () => expect.fail('it is watched'),
    });

    await expect(making).rejects.toThrow('throttled');
  });
});
