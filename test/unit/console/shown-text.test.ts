import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginningOf,
  indentedJson,
  jsonParts,
  sizeInWords,
  visibleText,
} from '../../../packages/console/src/pages/webhook/shown-text.ts';

describe('text of others', () => {
  it('shows control characters as pictures', () => {
    expect(visibleText('a\u0000b\u001b[31m\u007f')).toBe('a␀b␛[31m␡');
  });

  it('shows characters that change the direction, and leaves letters', () => {
    expect(visibleText('invoice\u202egpj.exe \u05e9\u05dc\u05d5\u05dd \u2066x\u2069')).toBe(
      'invoice[U+202E]gpj.exe שלום [U+2066]x[U+2069]',
    );
  });

  it('keeps lines, tabs, emoji and markup as they are', () => {
    const text = '<script>alert(1)</script>\n\t👋🏽 &amp;';
    expect(visibleText(text)).toBe(text);
  });

  it('shows half of a character', () => {
    expect(visibleText('x\ud83dy')).toBe('x[U+D83D]y');
  });

  it('has nothing left to make visible', () => {
    const unit = fc.integer({ max: 0xffff, min: 0 }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(visibleText(visibleText(text))).toBe(visibleText(text));
      }),
    );
  });

  it('is cut when it is long, at no half of a character', () => {
    expect(beginningOf('short')).toEqual({ shown: 'short', isCut: false });
    const { shown, isCut } = beginningOf(`${'x'.repeat(7_999)}👋 and more`);
    expect(isCut).toBe(true);
    expect(shown).toBe('x'.repeat(7_999));
  });

  it('has a size in words', () => {
    expect(['x', '👋', 'x'.repeat(2_048), 'x'.repeat(1_048_576)].map(sizeInWords)).toEqual([
      '1 byte',
      '4 bytes',
      '2 KiB',
      '1.0 MiB',
    ]);
  });
});

describe('JSON on lines', () => {
  it('has a line for each member', () => {
    expect(indentedJson('{"a":[1,{"b":null}],"c":{},"d":[]}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    );
  });

  it('rounds no number and loses no member', () => {
    expect(indentedJson('{"n":12345678901234567890.10,"n":1E400}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "n": 1E400\n}',
    );
  });

  it('leaves brackets within strings alone', () => {
    expect(indentedJson('["{\\"a\\":[1,2]}"]')).toBe('[\n  "{\\"a\\":[1,2]}"\n]');
  });

  it('is what JSON.stringify writes, for every document', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text);
        expect(indentedJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('is no JSON: there is nothing to indent', () => {
    expect(indentedJson('OK')).toBeUndefined();
  });

  it('reads a string of 1 MiB', () => {
    const text = JSON.stringify(['\\"x'.repeat(262_144)]);
    expect(indentedJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });
});

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
