import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonParts } from '../../../console/src/pages/webhook/json-parts.ts';

describe('the parts of a JSON text', () => {
  it('are names, strings and the rest', () => {
    expect(jsonParts('{"a": "b\\"c", "d": 1}')).toEqual([
      { kind: 'other', text: '{' },
      { kind: 'name', text: '"a"' },
      { kind: 'other', text: ': ' },
      { kind: 'string', text: '"b\\"c"' },
      { kind: 'other', text: ', ' },
      { kind: 'name', text: '"d"' },
      { kind: 'other', text: ': 1}' },
    ]);
  });

  it('are the text when they are put together, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const parts = jsonParts(text).map((part) => part.text);
        expect(parts.join('')).toBe(text);
      }),
    );
  });
});
