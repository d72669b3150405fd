import { cursorAt, positionOf } from '../json-ld/cursor.ts';
import { INTEGRATION_ID } from './get-integration.ts';
import type { Integration, IntegrationPages } from './integration.ts';

export type ListIntegrations = (request: {
  account: string;
  limit: number;
  /** The `next` of the page before. */
  cursor?: string | undefined;
}) => Promise<{ integrations: readonly Integration[]; next?: string }>;

/**
 * A page of an account's integrations, in the order of their ids. `next` is absent on the last
 * page. Throws a `validation` refusal for a text that is not a cursor.
 */
export const buildListIntegrations =
  (ports: { integrations: IntegrationPages }): ListIntegrations =>
  async ({ account, limit, cursor }) => {
    const after = cursor === undefined ? undefined : positionOf(cursor, INTEGRATION_ID);
    // One integration more than the page shows tells whether there is another page.
    const found = await ports.integrations.pageOf(account, { limit: limit + 1, after });
    const integrations = found.slice(0, limit);
    const last = integrations.at(-1);
    return {
      integrations,
      ...(found.length > limit && last !== undefined && { next: cursorAt(last.id) }),
    };
  };
