import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CHANGE_KINDS } from '../../../core/changes/change.ts';
import {
  CHANGE_EVENTS,
  changeDetail,
  presentChangeTypes,
  sampleChange,
} from '../../../core/changes/change-event.ts';

describe('the event of a change', () => {
  it.each(CHANGE_KINDS)('%s has the detail that its schema describes', (kind) => {
    const { schema } = CHANGE_EVENTS[kind];
    const detail = changeDetail(sampleChange(kind));
    const strict = z.strictObject(schema.shape);

    expect(strict.parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({ version: 1, integration: '/integrations/a1B2c3D4e5F6' });
  });

  it('of a recovery says since when the integration was in trouble', () => {
    const { schema } = CHANGE_EVENTS.recovered;
    const detail = changeDetail(sampleChange('recovered'));

    expect(schema.safeParse({ ...detail, since: undefined }).success).toBe(false);
  });

  it('has a published JSON Schema, which its sample and more members satisfy', () => {
    const { types } = presentChangeTypes();

    expect(types.map(({ kind }) => kind)).toEqual(CHANGE_KINDS);
    for (const { schema, sample } of types) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      addFormats.default(ajv);
      const isValid = ajv.compile(schema);
      expect(isValid({ ...sample, added: 1 })).toBe(true);
      expect(isValid({ ...sample, version: 2 })).toBe(false);
    }
  });
});
