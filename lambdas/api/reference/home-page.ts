import { entryList, htmlPage, type Place, paragraph } from './html-page.ts';

export const homePage = (place: Place): string =>
  htmlPage(place, 'Integrations API', [
    paragraph('Manage webhooks, see every delivery, and send again what was not delivered.'),
    entryList([
      ...(place.console
        ? [
            {
              href: place.console.href,
              name: 'Web console',
              description: 'Manage webhooks and see deliveries.',
            },
          ]
        : []),
      {
        href: `${place.base}/guides`,
        name: 'Guides',
        description: 'How to receive webhooks, and what to do if they do not arrive.',
      },
      {
        href: `${place.base}/docs`,
        name: 'Reference',
        description: 'Every call, with examples to try.',
      },
      {
        href: `${place.base}/openapi.json`,
        name: 'OpenAPI document',
        description: 'The reference for programs.',
      },
      {
        href: `${place.base}/listen.mjs`,
        name: 'Receive on localhost',
        description: 'A program for Node, with the address of this API.',
      },
      {
        href: `${place.base}/problems`,
        name: 'Problems',
        description: 'Why calls are refused, and what to do.',
      },
      {
        href: `${place.base}/reasons`,
        name: 'Results of attempts',
        description: 'Why deliveries are not confirmed, and what to do.',
      },
    ]),
  ]);
