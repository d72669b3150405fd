import { entryList, htmlPage, paragraph } from './html-page.ts';

/** Browsers resolve relative addresses by the slash at the end of a path, such as `/prod/`. */
const folderAt = (path: string): string =>
  path.endsWith('/') ? '' : `${encodeURIComponent(path.split('/').at(-1) ?? '')}/`;

/**
 * The addresses of the API's documents are relative to `path`, since the page may be served below a
 * stage's path. `console` is undefined in a stage without a console.
 */
export const homePage = (path: string, console: URL | undefined): string => {
  const folder = folderAt(path);
  return htmlPage('Integrations API', [
    paragraph('Manage webhooks, see every delivery, and send again what was not delivered.'),
    entryList([
      ...(console
        ? [
            {
              href: console.href,
              name: 'Web console',
              description: 'Manage webhooks and see deliveries.',
            },
          ]
        : []),
      {
        href: `${folder}guides`,
        name: 'Guides',
        description: 'How to receive webhooks, and what to do if they do not arrive.',
      },
      {
        href: `${folder}docs`,
        name: 'Reference',
        description: 'Every call, with examples to try.',
      },
      {
        href: `${folder}openapi.json`,
        name: 'OpenAPI document',
        description: 'The reference for programs.',
      },
      {
        href: `${folder}listen.mjs`,
        name: 'Receive on localhost',
        description: 'A program for Node, with the address of this API.',
      },
      {
        href: `${folder}problems`,
        name: 'Problems',
        description: 'Why calls are refused, and what to do.',
      },
      {
        href: `${folder}reasons`,
        name: 'Results of attempts',
        description: 'Why deliveries are not confirmed, and what to do.',
      },
    ]),
  ]);
};
