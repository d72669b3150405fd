import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../packages/console/src/api/resources.ts';
import { FIRST_VIEW, inView } from '../../../packages/console/src/pages/integrations/list-view.ts';

const webhook = (id: string, more: Partial<Integration>): Integration =>
  ({
    id: `/integrations/${id}`,
    status: 'active',
    createdAt: '2026-11-20T12:00:00.000Z',
    ...more,
    config: { baseUrl: 'https://hooks.example.com/in', ...more.config },
  }) as Integration;

const WEBHOOKS = [
  webhook('aaaaaaaaaaaa', { description: 'Orders' }),
  webhook('bbbbbbbbbbbb', { status: 'failed' }),
  webhook('cccccccccccc', { config: { baseUrl: 'https://xn--bcher-kva.example/in' } as never }),
];

const idsOf = (view: Partial<typeof FIRST_VIEW>) =>
  inView(WEBHOOKS, { ...FIRST_VIEW, ...view }).map(({ id }) => id.at(-1));

describe('the list of webhooks', () => {
  it('has those that need attention first', () => {
    expect(idsOf({})[0]).toBe('b');
    expect(idsOf({ order: 'name' })).toEqual(['c', 'b', 'a']);
  });

  it.each([
    ['orders', ['a']],
    [' hooks.example ', ['b', 'a']],
    ['BÜCHER', ['c']],
    ['xn--bcher', ['c']],
    ['cccccccccccc', ['c']],
    ['evt_1', []],
  ])('finds by %s', (text, ids) => {
    expect(idsOf({ text }).toSorted()).toEqual(ids.toSorted());
  });

  it('has one status, or all once no webhook has it', () => {
    expect(idsOf({ status: 'failed' })).toEqual(['b']);
    expect(idsOf({ status: 'busy' })).toHaveLength(3);
  });
});
