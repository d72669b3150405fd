import { describe, expect, it } from 'vitest';
import { withFirstPage, withOlderPage } from '../../../console/src/pages/webhook/live-rows.ts';

/** Newest first: row 9 occurred after row 8. */
const rows = (...numbers: number[]) =>
  numbers.map((number) => ({
    id: `evt_${number}`,
    occurredAt: `2026-11-20T12:00:0${number}.000Z`,
  }));
const page = (numbers: number[], next?: string) => ({
  member: rows(...numbers),
  view: { ...(next !== undefined && { next }) },
});
const numbersOf = ({ rows }: { rows: readonly { id: string }[] }) =>
  rows.map(({ id }) => Number(id.slice('evt_'.length)));

describe('a live list', () => {
  it('puts what is new before what was loaded', () => {
    const known = { rows: rows(5, 4, 3, 2), next: '/older' };
    const after = withFirstPage(known, page([6, 5], '/second'));
    expect(numbersOf(after)).toEqual([6, 5, 4, 3, 2]);
    expect(after.next).toBe('/older');
  });

  it('drops a row that left the filter', () => {
    const known = { rows: rows(5, 4, 3), next: '/older' };
    expect(numbersOf(withFirstPage(known, page([5, 3], '/second')))).toEqual([5, 3]);
    expect(numbersOf(withFirstPage(known, page([5])))).toEqual([5]);
  });

  it('begins anew when rows may be missing between the page and what was loaded', () => {
    const known = { rows: rows(3, 2, 1) };
    const after = withFirstPage(known, page([9, 8], '/second'));
    expect(numbersOf(after)).toEqual([9, 8]);
    expect(after.next).toBe('/second');
  });

  it('is empty when the service has nothing any more', () => {
    expect(withFirstPage({ rows: rows(3) }, page([]))).toEqual({ rows: [], next: undefined });
  });

  it('keeps where it goes on when a first page is empty but not the last', () => {
    expect(withFirstPage({ rows: [] }, page([], '/second'))).toEqual({ rows: [], next: '/second' });
  });

  it('keeps older rows when a filter left out the whole first page', () => {
    const known = { rows: rows(3, 2), next: '/older' };
    expect(withFirstPage(known, page([], '/second'))).toEqual(known);
  });

  it('appends a further page, and no row twice', () => {
    const after = withOlderPage({ rows: rows(5, 4), next: '/second' }, page([4, 3], '/third'));
    expect(numbersOf(after)).toEqual([5, 4, 3]);
    expect(after.next).toBe('/third');
  });

  it('orders rows of one instant by their ids', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const row = (id: string) => ({ id, occurredAt: at });
    const known = { rows: [row('c'), row('b'), row('a')] };
    const after = withFirstPage(known, { member: [row('c'), row('b')], view: { next: '/n' } });
    expect(after.rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });
});
