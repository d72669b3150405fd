import * as z from 'zod';
import { IGNORES_JSON_LD } from '../json-ld/request-document.ts';
import { addresses, instants, links, type Terms, terms } from '../json-ld/vocabulary.ts';
import { TOKEN_NAME } from './access-token.ts';
import { accountPath } from './account-resource.ts';
import type { NewConsoleLink } from './console-link.ts';
import { ROLES } from './user.ts';

const HOUR_SECONDS = 3_600;
const LONGEST_SESSION_HOURS = 8;

/** A longer address may not survive a redirect. */
const LONGEST_PAGE = 2_048;

/**
 * Whether a text is a path, with or without a query, as a browser writes it: not one that a browser
 * would read as another host, and without a fragment, which is the place of the code.
 */
const isPage = (text: string): boolean => {
  const base = 'https://console.invalid';
  if (text.length > LONGEST_PAGE || !URL.canParse(text, base)) return false;
  const { pathname, search } = new URL(text, base);
  return pathname + search === text;
};

export const consoleLinkDocument = z
  .strictObject({
    user: z
      .string()
      .refine(
        (text) => TOKEN_NAME.test(text),
        'must be 1 to 100 printable characters, and not only blanks',
      )
      .meta({
        minLength: 1,
        maxLength: 100,
        description: 'The id of a user of the organisation, or any name: Activity shows it.',
      }),
    role: z.enum(ROLES).meta({
      description:
        '`admin` reads and writes, `member` reads. `admin` only for an organisation’s own account, and for no user who is a member.',
    }),
    durationSeconds: z
      .int()
      .min(60, 'must be at least 60')
      .max(
        LONGEST_SESSION_HOURS * HOUR_SECONDS,
        `must be at most ${LONGEST_SESSION_HOURS * HOUR_SECONDS}`,
      )
      .default(HOUR_SECONDS)
      .meta({
        description: 'How long the user may use the console, from now; an hour by default.',
      }),
    page: z
      .string()
      .refine(isPage, 'must be the path of a page of the console, without host and #')
      .optional()
      .meta({
        maxLength: LONGEST_PAGE,
        description:
          'The page to open: its path in the console, with or without a query. By default the webhooks of the account.',
      }),
  })
  .meta({
    id: 'ConsoleLinkDocument',
    description: 'Who is to use the console, as what, how long, and where it opens.',
    ...IGNORES_JSON_LD,
  });

export const consoleSessionDocument = z
  .strictObject({
    code: z.string().meta({ description: 'What follows `#code=` in the address of the link.' }),
  })
  .meta({
    id: 'ConsoleSessionDocument',
    description: 'The code of a console link.',
    ...IGNORES_JSON_LD,
  });

export const consoleLinkResource = z
  .strictObject({
    '@context': z.literal('/contexts/ConsoleLink.jsonld'),
    '@type': z.literal('ConsoleLink'),
    account: z.string().meta({ description: 'Path of the account whose webhooks it shows.' }),
    url: z.url().meta({ description: 'Lead the browser of the user there, once.' }),
    validUntil: z.iso.datetime().meta({ description: 'Until when the link can be opened.' }),
    sessionEndsAt: z.iso
      .datetime()
      .meta({ description: 'Until when the console can be used, once the link is opened.' }),
  })
  .meta({ id: 'ConsoleLink', description: 'A link that opens the web console, once.' });

export const consoleLinkTerms: Terms = {
  ...terms('ConsoleLink'),
  ...links('account'),
  ...addresses('url'),
  ...instants('validUntil', 'sessionEndsAt'),
};

export const presentConsoleLink = ({
  url,
  link: { account, validUntil, sessionEndsAt },
}: NewConsoleLink): z.output<typeof consoleLinkResource> => ({
  '@context': '/contexts/ConsoleLink.jsonld',
  '@type': 'ConsoleLink',
  account: accountPath(account),
  url,
  validUntil,
  sessionEndsAt,
});
