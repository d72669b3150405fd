import { describe, expect, it } from 'vitest';
import { VERIFICATION_SAMPLES } from '../../../console/src/shared/verification-samples.ts';
import { serviceSignature } from '../../../core/delivery/signature-headers.ts';

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
