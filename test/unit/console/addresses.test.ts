import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWebhookSearch } from '../../../packages/console/src/pages/webhook/webhook-search.ts';
import { readChangeFilter } from '../../../packages/console/src/shared/change-words.ts';
import { SEARCH_TEXT } from '../../../packages/console/src/shared/search-text.ts';
import { readSearchedId } from '../../../packages/console/src/shared/searched-id.ts';
import { PLACES } from '../../../packages/console/src/shell/places.ts';

/** The console's router, with the pages whose addresses have ids. */
const routerAt = (address: string) => {
  const root = createRootRoute();
  const page = (path: string, validateSearch: (raw: Record<string, unknown>) => object) =>
    createRoute({ getParentRoute: () => root, path: `/accounts/$account${path}`, validateSearch });
  return createRouter({
    ...SEARCH_TEXT,
    history: createMemoryHistory({ initialEntries: [address] }),
    isServer: true,
    routeTree: root.addChildren([
      page('/settings/integrations', readSearchedId),
      page('/settings/integrations/$id', readWebhookSearch),
      page('/settings/activity', readChangeFilter),
    ]),
  });
};

const shownAt = (address: string) => {
  const router = routerAt(address);
  const match = router.matchRoutes(router.latestLocation).at(-1);
  return { params: match?.params, search: match?.search };
};

/** The address that the router writes for a place with other search parameters. */
const addressOf = (place: string, search: object): string =>
  routerAt(place).buildLocation({ to: '.', search: search as never }).href;

const LOOK_LIKE_VALUES = ['1789123456789012345', '123456', '662E41', '1e5', 'true', 'null', '0'];

const idOf = (text: RegExp) =>
  fc.oneof(fc.constantFrom(...LOOK_LIKE_VALUES), fc.stringMatching(text));

const event = idOf(/^[A-Za-z0-9_-]{1,64}$/);
const integration = fc.oneof(
  fc.constantFrom('123456789012', '000000000000', '12345678901E'),
  fc.stringMatching(/^[0-9A-Za-z]{12}$/),
);
const account = idOf(/^[a-z0-9][a-z0-9-]{0,30}$/);
/** Of a message, contact or call: of any form. */
const subject = fc.oneof(
  idOf(/^[A-Za-z0-9_-]{1,64}$/),
  fc.constantFrom('"123"', '{"a":1}', '[1]', 'a&b=c', '100%', '+13035550100', 'a b', '#1', 'é/ü'),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .filter((text) => text.trim() === text && !/[\r\n]|\/deliveries\//.test(text)),
);

describe('ids in the console’s addresses', () => {
  it('open the delivery and the search of a webhook that they name', () => {
    fc.assert(
      fc.property(account, integration, event, subject, (name, id, eventId, about) => {
        const address = addressOf(PLACES.webhook(name, id), { about, event: eventId });
        expect(shownAt(address)).toEqual({
          params: { account: name, id },
          search: { about, event: eventId },
        });
      }),
    );
  });

  it('search all webhooks of an account', () => {
    fc.assert(
      fc.property(account, subject, (name, about) => {
        const address = addressOf(PLACES.integrations(name), { about });
        expect(shownAt(address)).toEqual({ params: { account: name }, search: { about } });
      }),
    );
  });

  it('choose the webhook whose activity is shown', () => {
    fc.assert(
      fc.property(account, integration, (name, id) => {
        const { params, search } = shownAt(PLACES.activityOf(name, id));
        expect({ params, search }).toMatchObject({
          params: { account: name },
          search: { integration: id },
        });
      }),
    );
  });

  it('are read as a platform or a person writes them into a link', () => {
    fc.assert(
      fc.property(event, (id) => {
        const place = PLACES.webhook('acme', '0123456789Ab');
        expect(shownAt(`${place}?event=${id}&about=${id}`).search).toEqual({
          event: id,
          about: id,
        });
      }),
    );
  });
});
