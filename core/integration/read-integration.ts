import { cursorAt, type PageRequest, positionIn } from '../json-ld/cursor.ts';
import { Refusal } from '../refusal.ts';
import type { Integration, IntegrationReader } from './integration.ts';
import type { IntegrationLists } from './integration-store.ts';

export const INTEGRATION_ID = /^[0-9A-Za-z]{12}$/;

/** Throws `not-found` for another account's integration too, to reveal nothing about others. */
export type GetIntegration = (account: string, id: string) => Promise<Integration>;

export const buildGetIntegration =
  (ports: { integrations: Pick<IntegrationReader, 'find'> }): GetIntegration =>
  async (account, id) => {
    const integration = INTEGRATION_ID.test(id)
      ? await ports.integrations.find(account, id)
      : undefined;
    if (integration === undefined)
      throw new Refusal('not-found', 'The integration does not exist.');
    return integration;
  };

/** Throws `not-found`, and `integration-inactive` for an integration that is not active. */
export const buildGetActiveIntegration = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
}): GetIntegration => {
  const getIntegration = buildGetIntegration(ports);
  return async (account, id) => {
    const integration = await getIntegration(account, id);
    if (integration.active) return integration;
    throw new Refusal(
      'integration-inactive',
      'The integration is inactive. Activate it first: set `active` to true.',
    );
  };
};

export type ListIntegrations = (
  request: PageRequest & { account: string },
) => Promise<{ integrations: readonly Integration[]; next?: string }>;

/** In the order of ids. Throws a `validation` refusal for a text that is not a cursor. */
export const buildListIntegrations =
  (ports: { integrations: Pick<IntegrationLists, 'pageOf'> }): ListIntegrations =>
  async ({ account, limit, cursor }) => {
    const after = cursor === undefined ? undefined : positionIn(cursor, INTEGRATION_ID);
    // One integration more than the page shows tells whether there is another page.
    const found = await ports.integrations.pageOf(account, { limit: limit + 1, after });
    const integrations = found.slice(0, limit);
    const last = integrations.at(-1);
    return {
      integrations,
      ...(found.length > limit && last !== undefined && { next: cursorAt(last.id) }),
    };
  };
