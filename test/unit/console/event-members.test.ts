import { describe, expect, it } from 'vitest';
import { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import { membersOf } from '../../../packages/console/src/pages/event-types/members.ts';

describe('the members of an event type in the console', () => {
  it('are those of the schema, each with its type and its presence', () => {
    const [received] = presentEventTypes().member;
    expect(
      membersOf(received?.schema ?? {}).map(({ id, type, isRequired }) => [id, type, isRequired]),
    ).toEqual([
      ['message', 'object', true],
      ['message.id', 'string', true],
      ['message.body', 'string', true],
      ['message.direction', '"in"', true],
      ['message.from', 'string', true],
      ['message.to', 'string', true],
      ['contact', 'object', false],
      ['contact.id', 'string', true],
      ['contact.name', 'string', false],
      ['contact.phone', 'string', true],
    ]);
  });

  it('have a meaning each', () => {
    for (const { schema } of presentEventTypes().member) {
      for (const { meaning } of membersOf(schema)) expect(meaning).toMatch(/^\w.*\.$/);
    }
  });

  it('may be lists and have several types or values', () => {
    const item = { properties: { size: { type: ['integer', 'null'] } } };
    const schema = {
      properties: { parts: { items: { type: 'object', ...item } }, kind: { enum: ['a', 'b'] } },
    };
    expect(membersOf(schema).map(({ id, type }) => [id, type])).toEqual([
      ['parts', 'list of object'],
      ['parts.size', 'integer or null'],
      ['kind', '"a" or "b"'],
    ]);
  });
});
