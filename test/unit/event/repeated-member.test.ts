import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedMember } from '../../../core/event/repeated-member.ts';

describe('a JSON text', () => {
  const spaced = fc.constantFrom(undefined, 1, '\t');

  it('without a repeated member has none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spaced, (value, space) => {
        expect(repeatedMember(JSON.stringify(value, null, space))).toBeUndefined();
      }),
    );
  });

  it('with one has it where it is', () => {
    const name = fc.string();
    fc.assert(
      fc.property(fc.jsonValue(), name, fc.jsonValue(), spaced, (before, key, value, space) => {
        const [one, other] = [before, value].map((member) => JSON.stringify(member, null, space));
        const json = `{"list": [${one}, {${JSON.stringify(key)}: ${other}, ${JSON.stringify(key)} :0}]}`;
        expect(repeatedMember(json)).toEqual({
          path: ['list', 1, key],
          offset: json.lastIndexOf(`${JSON.stringify(key)} :`),
        });
      }),
    );
  });
});
