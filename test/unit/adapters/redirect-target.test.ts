import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redirectTarget } from '../../../adapters/http/redirect-target.ts';

const URL_OF_REQUEST = 'https://user:pass@hooks.example.com/in?key=1';
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('the target of a redirect', () => {
  it.each([
    ['/in/', 'hooks.example.com/in/'],
    ['in/v2', 'hooks.example.com/in/v2'],
    ['?to=/in', 'hooks.example.com/in'],
    ['//other.example.com/a', 'other.example.com/a'],
    ['http://hooks.example.com:8080/in', 'hooks.example.com:8080/in'],
    ['https://me:secret@hooks.example.com/login?next=%2Fin#top', 'hooks.example.com/login'],
    [inBytes('/é'), 'hooks.example.com/%C3%A9'],
    [inBytes('https://bücher.example/'), 'xn--bcher-kva.example/'],
    ['', 'hooks.example.com/in'],
  ])('is the host and the path of %j', (location, target) => {
    expect(redirectTarget(location, URL_OF_REQUEST)).toBe(target);
  });

  it.each(['http://', 'https://a b/', 'mailto:me@example.com', 'javascript:alert(1)', '//[::1'])(
    'is unknown if it is no URL of a server: %s',
    (location) => {
      expect(redirectTarget(location, URL_OF_REQUEST)).toBeUndefined();
    },
  );

  it('is short and printable, whatever the endpoint sends', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }).map(inBytes),
      fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'large' }),
      fc.webPath({ size: 'large' }),
    );
    fc.assert(
      fc.property(text, (location) => {
        const target = redirectTarget(location, URL_OF_REQUEST) ?? 'a/';
        expect(target).toMatch(/^[!-~]{1,300}$/);
        expect(target).not.toMatch(/[?#]|pass@/);
      }),
      { numRuns: 5_000 },
    );
    const long = redirectTarget(`/${'x'.repeat(500)}`, URL_OF_REQUEST);
    expect(long).toMatch(/^hooks\.example\.com\/x+\.\.\.$/);
    expect(long).toHaveLength(300);
  });
});
