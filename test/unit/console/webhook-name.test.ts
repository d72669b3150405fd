import { describe, expect, it } from 'vitest';
import { addressInWords, webhookName } from '../../../packages/console/src/shared/webhook-name.ts';

describe('the name of a webhook', () => {
  it('is its description, or else its address', () => {
    const config = { baseUrl: 'https://hooks.example.com/in' };
    expect(webhookName({ description: 'Orders', config })).toBe('Orders');
    expect(webhookName({ config })).toBe('hooks.example.com/in');
  });

  it.each([
    ['https://hooks.example.com/', 'hooks.example.com'],
    ['https://hooks.example.com:8443/a/b', 'hooks.example.com:8443/a/b'],
    ['https://hooks.example.com/in?token=geheim&v=1&v=2', 'hooks.example.com/in?token=…&v=…'],
    ['https://hooks.example.com/in?geheim', 'hooks.example.com/in?…'],
  ])('of %s is %s', (baseUrl, shown) => {
    expect(addressInWords(baseUrl)).toBe(shown);
  });

  it('is shortened in the middle', () => {
    const shown = addressInWords(`https://hooks.example.com/${'a'.repeat(2_000)}/end`);
    expect(shown).toHaveLength(60);
    expect(shown).toMatch(/^hooks\.example\.com\/a+…a+\/end$/);
  });
});
