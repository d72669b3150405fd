import { describe, expect, it } from 'vitest';
import { VERIFICATION_SAMPLES } from '../../../console/src/shared/verification-samples.ts';
import {
  changesOf,
  draftOf,
  isDeaf,
  NEW_WEBHOOK,
  settingsOf,
} from '../../../console/src/shared/webhook-draft.ts';
import { serviceSignature } from '../../../core/delivery/signature-headers.ts';
import { readIntegration } from '../../../lambdas/api/integrations/integration-examples.ts';

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

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=';
const BODY = Buffer.from('{"data":{"text":"Grüße 👋"}}');

type IsAuthentic = (rawBody: Buffer, signature: string, secret: string) => boolean;

const nodeSample = async (): Promise<IsAuthentic> => {
  const code = VERIFICATION_SAMPLES.find(({ id }) => id === 'node')?.code ?? '';
  const { isAuthentic } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isAuthentic: IsAuthentic;
  };
  return isAuthentic;
};

describe('the verification samples', () => {
  it('are there in seven languages', () => {
    expect(VERIFICATION_SAMPLES.map(({ language }) => language)).toEqual([
      'Node',
      'Python',
      'Go',
      'Java',
      'Ruby',
      'PHP',
      'C#',
    ]);
  });

  it('take what the service signs, in Node', async () => {
    const isAuthentic = await nodeSample();
    const signature = serviceSignature(SECRET, BODY.toString());
    expect(isAuthentic(BODY, signature, SECRET)).toBe(true);
  });

  it('refuse another body, another secret, and what is no signature, in Node', async () => {
    const isAuthentic = await nodeSample();
    const signature = serviceSignature(SECRET, BODY.toString());
    expect(isAuthentic(Buffer.from('{}'), signature, SECRET)).toBe(false);
    expect(isAuthentic(BODY, signature, 'another secret of my own')).toBe(false);
    expect(isAuthentic(BODY, '', SECRET)).toBe(false);
    expect(isAuthentic(BODY, 'ü'.repeat(64), SECRET)).toBe(false);
  });
});
