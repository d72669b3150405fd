import { describe, expect, it } from 'vitest';
import { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import { breaksOf } from '../../support/event/schema-breaks.ts';
import frozen from '../../support/formats/event-schemas.json' with { type: 'json' };

type Schema = Readonly<Record<string, unknown>>;

const FROZEN: Readonly<Record<string, Readonly<Record<string, Schema>>>> = frozen;

describe('the data of an event type', () => {
  it.each(presentEventTypes().member)(
    'is what receivers of its version were promised: $name',
    ({ name, version, changes, schema }) => {
      const promised = FROZEN[name]?.[version];
      expect(promised, 'freeze it: npm run freeze').toBeDefined();
      expect(breaksOf(promised ?? {}, schema)).toEqual([]);
      expect(Object.keys(FROZEN[name] ?? {})).toHaveLength(version);
      for (const change of changes) expect(change).toMatch(/^\w.*\.$/);
    },
  );

  it('has all types that were frozen', () => {
    const names: string[] = presentEventTypes().member.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(FROZEN)));
  });
});

describe('a change of a schema', () => {
  const before = {
    type: 'object',
    required: ['id', 'direction'],
    properties: {
      id: { type: 'string', minLength: 1, description: 'Its id.' },
      direction: { type: 'string', enum: ['in', 'out'] },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { size: { type: 'integer' } } },
      },
    },
    additionalProperties: {},
  };
  const { id, direction, parts } = before.properties;
  const withMembers = (members: object) => ({
    ...before,
    properties: { ...before.properties, ...members },
  });

  it.each<[string, Schema]>([
    ['a new member', withMembers({ added: { type: 'number' } })],
    ['another description', withMembers({ id: { ...id, description: 'Identifies it.' } })],
    ['a value fewer', withMembers({ direction: { ...direction, enum: ['in'] } })],
    ['a member that is always there now', { ...before, required: ['id', 'direction', 'parts'] }],
  ])('breaks no receiver: %s', (_, after) => {
    expect(breaksOf(before, after)).toEqual([]);
  });

  it.each<[string, Schema, string]>([
    ['a removed member', { ...before, properties: { id, direction } }, 'data.parts: removed'],
    ['a type', withMembers({ id: { ...id, type: 'integer' } }), 'data.id: type changed'],
    [
      'a type more',
      withMembers({ id: { ...id, type: ['string', 'null'] } }),
      'data.id: type changed',
    ],
    ['a limit less', withMembers({ id: { type: 'string' } }), 'data.id: minLength changed'],
    [
      'a value more',
      withMembers({ direction: { ...direction, enum: ['in', 'out', 'both'] } }),
      'data.direction: may be "both"',
    ],
    [
      'any value',
      withMembers({ direction: { type: 'string' } }),
      'data.direction: may have any value',
    ],
    [
      'a member that may be absent now',
      { ...before, required: ['id'] },
      'data.direction: no longer required',
    ],
    [
      'a member of an item',
      withMembers({ parts: { ...parts, items: { type: 'object', properties: {} } } }),
      'data.parts[].size: removed',
    ],
    [
      'members that are refused',
      { ...before, additionalProperties: false },
      'data: additionalProperties changed',
    ],
  ])('breaks receivers: %s', (_, after, fault) => {
    expect(breaksOf(before, after)).toEqual([fault]);
  });
});
