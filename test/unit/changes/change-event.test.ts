import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { changeOf, presentChangeTypes, sampleChange } from '../../../core/changes/change-event.ts';
import { CHANGE_KINDS, changeResource } from '../../../core/changes/change-resource.ts';

describe('the types of events about changes', () => {
  it.each(presentChangeTypes().types)('of $detailType have a document of the API', (type) => {
    expect(type.detailType).toMatch(/^Integration [a-z ]+$/);
    for (const schema of [changeResource, changeOf(type.kind)]) {
      expect(schema.parse(type.sample)).toEqual(type.sample);
    }
  });

  it.each(['busy', 'failed', 'recovered'] as const)('say since when it was %s', (kind) => {
    const change = { ...sampleChange(kind), since: undefined };
    expect(changeOf(kind).safeParse(change).success).toBe(false);
  });

  it('are those of the page for operators, with the sample of one', () => {
    const page = readFileSync('docs/operators/events-of-changes.md', 'utf8');
    const [, sample = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(JSON.parse(sample)).toEqual(sampleChange('failed'));
    for (const { detailType } of presentChangeTypes().types) expect(page).toContain(detailType);
  });

  it('have samples of what happens: a busy webhook gets no answer', () => {
    expect(sampleChange('busy')).toMatchObject({ reason: 'response-timeout' });
    expect(sampleChange('busy')).not.toHaveProperty('statusCode');
    const { at, since = at } = sampleChange('recovered');
    expect(since < at).toBe(true);
  });

  it('have a published JSON Schema, which its sample and more members satisfy', () => {
    const { types } = presentChangeTypes();

    expect(types.map(({ kind }) => kind)).toEqual(CHANGE_KINDS);
    for (const { schema, sample } of types) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      addFormats.default(ajv);
      const isValid = ajv.compile(schema);
      const by = typeof sample.by === 'object' ? { ...sample.by, added: 1 } : sample.by;
      expect(isValid({ ...sample, by, added: 1 })).toBe(true);
      expect(isValid({ ...sample, kind: 'another' })).toBe(false);
    }
  });
});
