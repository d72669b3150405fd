import { describe, expect, it } from 'vitest';
import {
  buildKeepCanary,
  buildReceiveCanary,
  CANARY_INTEGRATION,
  canaryEvent,
} from '../../../core/delivery/canary.ts';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import { serviceSignature } from '../../../core/delivery/signature-headers.ts';
import { parseEvent } from '../../../core/event/event.ts';
import { buildChangeIntegration } from '../../../core/integration/change-integration.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { Crash } from '../../support/directory/crashing-port.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { aConfig, InMemorySecrets, unsealed } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const URL = 'https://abc.execute-api.us-east-1.amazonaws.com/prod/_canary';
const SECRET = 'a secret of the canary';
const SENT_AT = new Date('2026-11-20T12:00:00.000Z');

const setUp = (...stored: Integration[]) => {
  const integrations = new InMemoryIntegrations(...stored);
  const changed: string[] = [];
  let clock = SENT_AT;
  const ports = {
    integrations,
    secrets: new InMemorySecrets(),
    settingsChange: {
      beforeChange: async () => {
        changed.push('before');
      },
      afterChange: async () => {
        changed.push('after');
      },
    },
    newWebhookSecret: () => SECRET,
    now: () => clock,
    pause: async () => {},
  };
  return {
    ports,
    changed,
    keep: buildKeepCanary({ ...ports, changeIntegration: buildChangeIntegration(ports) }),
    receive: buildReceiveCanary(ports),
    stored: () => integrations.all.map(unsealed),
    pass: (milliseconds: number) => {
      clock = new Date(clock.getTime() + milliseconds);
    },
  };
};

const canaryAt = (baseUrl: string) =>
  aConfig({ baseUrl, webhookSecret: SECRET }, CANARY_INTEGRATION);

const theCanary = (overrides: Partial<Integration> = {}) =>
  anIntegration({
    ...CANARY_INTEGRATION,
    config: canaryAt(URL),
    ...overrides,
  });

describe('The integration of the canary', () => {
  it('is created with a sealed secret, and goes on after a refused event', async () => {
    const { keep, ports, stored } = setUp();

    await keep(URL);

    expect(stored()).toMatchObject([
      {
        ...CANARY_INTEGRATION,
        active: true,
        provider: 'webhook',
        config: { baseUrl: URL, webhookSecret: SECRET },
        settings: { actions: { 'message.delivered': true }, onFatalError: 'continue' },
      },
    ]);
    expect(JSON.stringify(ports.integrations.all)).not.toContain(SECRET);
  });

  it('is one, if two runs create it at once or one dies after it did', async () => {
    const { keep, stored } = setUp();

    await Promise.all([keep(URL), keep(URL)]);
    await keep(URL);

    expect(stored()).toHaveLength(1);
  });

  it('stays as it is while it is right', async () => {
    const { changed, keep, stored } = setUp(theCanary());

    await keep(URL);

    expect(stored()).toEqual([unsealed(theCanary())]);
    expect(changed).toEqual([]);
  });

  it.each([
    ['another address', { config: canaryAt('https://old.example.com/') }],
    ['no activity', { active: false }],
  ])('is changed as a customer would if it has %s, and keeps its secret', async (_, wrong) => {
    const { changed, keep, stored } = setUp(theCanary(wrong));

    await keep(URL);

    expect(stored()).toMatchObject([
      { active: true, config: { baseUrl: URL, webhookSecret: SECRET }, revision: 2 },
    ]);
    expect(changed).toEqual(['before', 'after']);
  });

  it('is put right by the next run if one dies before its change', async () => {
    const { keep, ports, stored } = setUp(theCanary({ active: false }));
    const dying = buildKeepCanary({
      ...ports,
      changeIntegration: () => Promise.reject(new Crash()),
    });

    await expect(dying(URL)).rejects.toThrow(Crash);
    await keep(URL);

    expect(stored()).toMatchObject([{ active: true }]);
  });
});

describe('The webhook of the canary', () => {
  const { body } = createDelivery(canaryEvent('an-event', SENT_AT), CANARY_INTEGRATION.id);
  const signature = serviceSignature(SECRET, body);

  it('is of an event that the service routes', () => {
    const event = canaryEvent('an-event', SENT_AT);

    expect(parseEvent(JSON.stringify(event))).toEqual(event);
  });

  it('tells how long its event took', async () => {
    const { keep, pass, receive } = setUp();
    await keep(URL);
    pass(1_234);

    expect(await receive(body, signature)).toBe(1_234);
  });

  it.each([
    ['of another secret', body, serviceSignature('a secret of another', body)],
    ['of another body', body.replace('an-event', 'no-event'), signature],
    ['of no hash', body, ''],
  ])('is refused with a signature %s', async (_, received, signed) => {
    const { receive } = setUp(theCanary());

    expect(await receive(received, signed)).toBeUndefined();
  });

  it('is refused while there is no integration', async () => {
    expect(await setUp().receive(body, signature)).toBeUndefined();
  });
});
