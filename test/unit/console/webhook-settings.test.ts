import { describe, expect, it } from 'vitest';
import { readIntegration } from '../../../lambdas/api/integrations/integration-examples.ts';
import {
  changesOf,
  draftOf,
  isDeaf,
  NEW_WEBHOOK,
  settingsOf,
} from '../../../packages/console/src/shared/webhook-draft.ts';

describe('a new webhook', () => {
  it('receives message.delivered and message.received', () => {
    expect(settingsOf({ ...NEW_WEBHOOK, baseUrl: 'https://hooks.example.com/in' })).toEqual({
      active: true,
      config: { baseUrl: 'https://hooks.example.com/in' },
      settings: {
        actions: { 'message.delivered': true, 'message.received': true },
        onFatalError: 'pause',
      },
    });
  });

  it('has the secret that was typed, without the white space around it', () => {
    const settings = settingsOf({
      ...NEW_WEBHOOK,
      baseUrl: ' https://hooks.example.com/in\n',
      secret: ' a secret of my own ',
    });
    expect(settings.config).toEqual({
      baseUrl: 'https://hooks.example.com/in',
      webhookSecret: 'a secret of my own',
    });
  });
});

describe('a webhook without any event', () => {
  it('would receive nothing', () => {
    expect(isDeaf({ 'message.received': false })).toBe(true);
    expect(isDeaf(NEW_WEBHOOK.actions)).toBe(false);
  });
});

describe('a changed webhook', () => {
  const draft = draftOf(readIntegration);

  it('has no changes as it was read', () => {
    expect(changesOf(draft, readIntegration)).toEqual({});
  });

  it('sends the settings that differ and no others', () => {
    const changed = { ...draft, actions: { ...draft.actions, 'contact.created': true } };
    expect(changesOf(changed, readIntegration)).toEqual({
      settings: { actions: { 'contact.created': true } },
    });
    expect(changesOf({ ...draft, onFatalError: 'continue' }, readIntegration)).toEqual({
      settings: { onFatalError: 'continue' },
    });
    expect(changesOf({ ...draft, baseUrl: 'https://b.example.com' }, readIntegration)).toEqual({
      config: { baseUrl: 'https://b.example.com' },
    });
  });
});
