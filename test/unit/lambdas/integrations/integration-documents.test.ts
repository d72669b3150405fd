import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVENT_TYPES } from '../../../../core/event/event-types.ts';
import {
  integrationDocument,
  parseIntegrationDocument,
} from '../../../../core/integration/integration-document.ts';
import { mergePatch } from '../../../../core/integration/write-integration.ts';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';

/** What the JSON Schema that a zod schema becomes says of a value. Formats are not checked. */
const validator = (schema: z.ZodType, io: 'input' | 'output') =>
  new Ajv2020({ validateFormats: false, strict: false }).compile(z.toJSONSchema(schema, { io }));

describe('the JSON Schema of an Integration as a caller writes it', () => {
  const isValid = validator(integrationDocument, 'input');
  const isAccepted = (document: unknown): boolean => {
    try {
      parseIntegrationDocument(document);
      return true;
    } catch {
      return false;
    }
  };

  const flag = fc.oneof({ weight: 9, arbitrary: fc.boolean() }, fc.constant('yes'));
  const text = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('[FILTERED]', 'a secret of the tests', 'whsec_MDEyMzQ1'),
    },
    fc.string({ maxLength: 20 }),
    fc.constantFrom(null, 7, 'sixteen lettérs.', 'x'.repeat(129)),
  );
  const extra = fc.dictionary(
    fc.constantFrom('@type', '@id', 'id', 'status', 'colour'),
    fc.jsonValue(),
    {
      maxKeys: 1,
    },
  );
  const withExtra = (arbitrary: fc.Arbitrary<object>) =>
    fc.tuple(arbitrary, extra).map(([object, more]) => ({ ...more, ...object }));
  const actions = withExtra(
    fc.dictionary(fc.constantFrom(...EVENT_TYPES, 'message.received'), flag, { maxKeys: 3 }),
  );
  const onFatalError = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('pause', 'continue') },
    fc.constantFrom('stop', null, true),
  );
  const almost = withExtra(
    fc.record(
      {
        active: flag,
        provider: fc.oneof({ weight: 9, arbitrary: fc.constant('webhook') }, fc.string()),
        config: withExtra(
          fc.record(
            { baseUrl: fc.webUrl(), webhookSecret: text, clientSecret: text },
            { requiredKeys: ['baseUrl'] },
          ),
        ),
        settings: withExtra(fc.record({ actions, onFatalError }, { requiredKeys: [] })),
      },
      { requiredKeys: ['active', 'provider', 'config', 'settings'] },
    ),
  );

  it('says of any document what the service says of it', () => {
    let accepted = 0;
    const documents = fc.oneof(almost, fc.jsonValue());
    fc.assert(
      fc.property(documents, (document) => {
        if (isAccepted(document)) accepted += 1;
        expect(isValid(document)).toBe(isAccepted(document));
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });

  it('leaves to the service whether the base64 of a secret is canonical', () => {
    const config = { baseUrl: 'https://x.test/', webhookSecret: 'whsec_not base64 at all' };
    expect(isValid(aDocument({ config }))).toBe(true);
    expect(isAccepted(aDocument({ config }))).toBe(false);
  });

  it.each([
    [aDocument(), true],
    [aDocument({ '@id': 1, config: { '@type': 'x', baseUrl: 'https://x.test/' } }), true],
    [aDocument({ id: '/integrations/1', createdAt: 'then', previousSecretExpiresAt: 'x' }), true],
    [aDocument({ setAsideEvents: 3 }), true],
    [aDocument({ colour: 'red' }), false],
    [aDocument({ config: { baseUrl: 'https://x.test/', webhookSecret: 'short' } }), false],
    [aDocument({ settings: { actions: { 'message.sent': true } } }), false],
    [aDocument({ settings: { onFatalError: 'continue' } }), true],
    [aDocument({ settings: { onFatalError: 'stop' } }), false],
    [anIntegration(), false],
  ])('says of %j that it is valid: %j', (document, expected) => {
    expect(isValid(document)).toBe(expected);
    expect(isAccepted(document)).toBe(expected);
  });
});

describe('A JSON merge patch', () => {
  // The test cases of RFC 7396, appendix A.
  it.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('changes %j by %j to %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });
});
