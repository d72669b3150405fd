import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../core/changes/change-resource.ts';
import { aChangeAt } from '../../../support/changes/changes.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const CHANGES = '/acme/changes';
const DELETED = 'deleted00000';

interface Page {
  readonly id: string;
  readonly totalItems?: number;
  readonly member: readonly Change[];
  readonly view: { readonly id: string; readonly next?: string };
}

const at = (minute: number): string => `2026-11-20T12:0${minute}:00.000Z`;

/** No integration is stored: those that the changes are about are deleted. */
const reading = async () => {
  const api = apiOverMemory();
  await api.parts.changes.add([
    aChangeAt(at(0), { kind: 'created', integration: `/integrations/${DELETED}` }),
    aChangeAt(at(1), { kind: 'failed' }),
    aChangeAt(at(2), { kind: 'failed', integration: `/integrations/${DELETED}` }),
    aChangeAt(at(3), { kind: 'deleted', integration: `/integrations/${DELETED}` }),
    aChangeAt(at(4), { account: '/accounts/globex' }),
  ]);
  const page = async (query: string): Promise<Page> => {
    const path = query.startsWith('/') ? query : `${CHANGES}?${query}`;
    const { status, document } = await api.call('GET', path, { role: 'member' });
    expect(status).toBe(200);
    return document as unknown as Page;
  };
  return { api, page };
};

const minutesOf = ({ member }: Page) => member.map((change) => Number(change.at.slice(15, 16)));

describe('GET /{account_name}/changes', () => {
  it('lists the account’s changes, newest first, of deleted ones too', async () => {
    const { api, page } = await reading();
    const document = await page(CHANGES);
    expect(minutesOf(document)).toEqual([3, 2, 1, 0]);
    expect(document).toMatchObject({
      id: CHANGES,
      totalItems: 4,
      view: { id: `${CHANGES}?limit=20` },
    });
    expect(api.observation.logger.lines).toEqual([]);
  });

  it('leaves out the changes of a removed account of the same name', async () => {
    const { api, page } = await reading();
    const [name, createdAt] = ['acme', at(2)];
    await api.parts.directory.accounts.add({ name, primaryAccount: name, createdAt });
    expect(minutesOf(await page(CHANGES))).toEqual([3, 2]);
    expect(minutesOf(await page(`since=${at(1)}`))).toEqual([3, 2]);
    expect(minutesOf(await page(`since=${at(3)}`))).toEqual([3]);
  });

  it.each([
    [`integration=${DELETED}`, [3, 2, 0]],
    [`integration=/integrations/${DELETED}`, [3, 2, 0]],
    [`integration=/prod/integrations/${DELETED}`, [3, 2, 0]],
    ['integration=unknown00000', []],
    ['kind=failed', [2, 1]],
    [`kind=failed&integration=${DELETED}`, [2]],
    [`since=${at(1)}&until=${at(3)}`, [2, 1]],
    ['since=2026-11-20T13:02:00%2B01:00', [3, 2]],
  ])('selects by %s', async (query, expected) => {
    const { page } = await reading();
    expect(minutesOf(await page(query))).toEqual(expected);
  });

  it('links each page to the next, with the same filters', async () => {
    const { page } = await reading();
    const filters = `integration=${DELETED}&since=2026-11-20T12%3A00%3A00Z`;
    const first = await page(`${filters}&limit=2`);
    expect(first.id).toBe(`${CHANGES}?${filters}`);
    const second = await page(first.view.next ?? '');
    expect([first, second].map(minutesOf)).toEqual([[3, 2], [0]]);
    expect(second.view).not.toHaveProperty('next');
  });
});
