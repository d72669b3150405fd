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
    ['https://bücher.example:8443/キー', 'bücher.example:8443/キー'],
    ['https://xn--bcher-kva.example/%E3%82%AD%E3%83%BC/a', 'bücher.example/キー/a'],
    // What is no letter could pretend a part of a path, or turn the text around.
    ['https://a.example/%2F%20%E2%80%AE%ff', 'a.example/%2F%20%E2%80%AE%ff'],
  ])('of %s is %s', (baseUrl, shown) => {
    expect(addressInWords(baseUrl)).toBe(shown);
  });

  it('is not cut inside of a letter', () => {
    expect(addressInWords(`https://a.example/${'%F0%A0%AE%B7'.repeat(99)}`).isWellFormed()).toBe(
      true,
    );
  });

  it('is shortened in the middle', () => {
    const shown = addressInWords(`https://hooks.example.com/${'a'.repeat(2_000)}/end`);
    expect(shown).toHaveLength(60);
    expect(shown).toMatch(/^hooks\.example\.com\/a+…a+\/end$/);
  });
});
