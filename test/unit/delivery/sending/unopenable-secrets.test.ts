import { describe, expect, it } from 'vitest';
import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../../core/delivery/sending/make-attempt.ts';
import {
  type SecretOpener,
  SecretUnreadable,
} from '../../../../core/integration/signing-secrets.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { ScriptedWebhookEndpoint } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  NOON,
  queued,
  SCHEDULE,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { InMemorySecrets, sealedInMemory } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const place = { account: 'acme', integration: anIntegration().id, field: 'webhookSecret' } as const;
const config = {
  ...anIntegration().config,
  webhookSecret: sealedInMemory('a secret of the tests', place),
};
const SEALED = { ...UNTROUBLED, config };

const throttled: SecretOpener = { open: () => Promise.reject(new Error('throttled')) };

describe('a delivery whose secret cannot be opened now', () => {
  it('sends, logs and counts nothing, and its message comes back', async () => {
    const { deliver, log, integrations, pendingEvents, schedules } = aDeliverer({
      stored: SEALED,
      secrets: throttled,
    });

    await expect(deliver()).rejects.toThrow('throttled');

    expect(log.attempts).toEqual([]);
    expect(integrations.all).toEqual([SEALED]);
    expect(pendingEvents.of(SEALED.id)).toEqual([]);
    expect(schedules.all).toEqual([]);
  });

  it('is attempted when it can be opened again, as after any fault of ours', async () => {
    const endpoint = answering(200);
    const { deliver } = aDeliverer({ stored: SEALED, endpoint });

    expect(await deliver(queued(2))).toMatchObject({ kind: 'delivered' });
    expect(endpoint.requests).toHaveLength(1);
  });
});

/** As when somebody has moved the secret from another integration. */
const unreadable: SecretOpener = {
  open: () => Promise.reject(new SecretUnreadable('It was sealed for another place.')),
};

const CONTINUING = {
  ...SEALED,
  settings: { ...SEALED.settings, onFatalError: 'continue' as const },
};

/** Its endpoint confirmed another event at noon. */
const CONFIRMED = { ...SEALED, confirmedAt: NOON.toISOString() };

describe('a delivery that the service cannot sign or build', () => {
  const notReached = () => untouchable<WebhookEndpoint>('the endpoint');
  const unbuildable = () =>
    new ScriptedWebhookEndpoint(() => Promise.reject(new TypeError('Invalid character in header')));

  it.each([
    ['its secret is unreadable', unreadable, notReached(), 'SecretUnreadable'],
    ['its request cannot be made', new InMemorySecrets(), unbuildable(), 'TypeError'],
  ])(
    'is pending, and its integration failed, when %s: no message of it stays in the queue',
    async (_case, secrets, endpoint, code) => {
      const { deliver, integrations, pendingEvents, log, schedules } = aDeliverer({
        stored: SEALED,
        secrets,
        endpoint,
      });
      const result = { kind: 'unanswered', reason: 'not-sent', code };
      expect(await deliver()).toMatchObject({ kind: 'pending', became: 'failed' });
      expect(log.attempts).toMatchObject([{ outcome: { class: 'fatal', result } }]);
      expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed', reason: 'not-sent' } }]);
      const [pending] = pendingEvents.of(SEALED.id);
      expect(pending).toMatchObject({ priorAttempts: 1 });
      // No window begins, so it cannot be set aside for this.
      expect(pending?.backoff).toBeUndefined();
      expect(schedules.all).toEqual([SCHEDULE]);
    },
  );

  it.each([
    ['though it is to continue', CONTINUING, queued()],
    ['in a replay, though others were confirmed', CONFIRMED, queued(1, { trigger: 'replay' })],
  ])('fails the integration at once, %s', async (_case, stored, message) => {
    const { deliver, setAsideEvents } = aDeliverer({ stored, secrets: unreadable });
    expect(await deliver(message)).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(setAsideEvents.of(SEALED.id)).toEqual([]);
  });

  it('shows nothing of the secret, and a request without signatures', async () => {
    const { deliver, log } = aDeliverer({ stored: SEALED, secrets: unreadable });
    const result = await deliver();
    expect(JSON.stringify([result, log.attempts])).not.toContain('another place');
    expect(result).toMatchObject({
      made: {
        request: {
          headers: {
            'Content-Type': 'application/json',
            Accept: '*/*',
            'Accept-Encoding': 'identity',
            'User-Agent': `Service-Webhooks/${packageJson.version}`,
          },
        },
      },
    });
    expect(JSON.stringify(result)).not.toContain('ignature');
  });
});

describe('a secret that takes long to open', () => {
  it('does not make the attempt slow', async () => {
    let now = NOON.getTime();
    const secrets: SecretOpener = {
      open: async (sealed, of) => {
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

    const { attempt } = await makeAttempt(aDelivery(), SEALED, { number: 1, trigger: 'event' });

    expect([attempt.startedAt, attempt.durationMs]).toEqual([new Date(now), 0]);
  });
});
