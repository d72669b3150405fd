import * as z from 'zod';
import { IN_WORDS } from '../customer-limits.ts';
import { reasonMembers } from '../integration/reason-resource.ts';
import { collectionOf } from '../json-ld/collection.ts';
import { addresses, instants, links, lists, type Terms, terms } from '../json-ld/vocabulary.ts';

/** The kinds of changes, as the API, the event bus and the console name them, and what they mean. */
export const KIND_MEANINGS = {
  created: 'The integration was created.',
  'settings-changed': 'Its settings changed, see `members`.',
  'secret-rotated': 'Its webhook secret was replaced.',
  activated: 'It was activated.',
  deactivated: 'It was deactivated.',
  deleted: 'It was deleted.',
  busy: 'Its endpoint does not answer, or answers `504`. Its events are pending.',
  failed: `An event had a fatal outcome, or was not confirmed for ${IN_WORDS.window}. Its events are pending.`,
  recovered: 'It is no longer busy or failed.',
  'event-set-aside': `All attempts of events failed for ${IN_WORDS.window} in which its endpoint confirmed others. They are no longer sent.`,
};

export type ChangeKind = keyof typeof KIND_MEANINGS;
export const CHANGE_KINDS = Object.keys(KIND_MEANINGS) as readonly ChangeKind[];

// Exclusive unions, because some generators of clients take neither `anyOf` nor a list of types.

const value = z.xor([z.string(), z.boolean()]).optional();

const memberResource = z.strictObject({
  name: z.string().meta({
    description: 'Path of the member, such as `config.baseUrl`.',
  }),
  from: value.meta({
    description: 'The value before. Absent if there was none, or if it can be secret.',
  }),
  to: value.meta({
    description: 'The value after. Absent if there is none, or if it can be secret.',
  }),
});

const actorResource = z.xor([
  z.strictObject({
    user: z.string().meta({ description: 'Path of the user.' }),
    token: z.string().optional().meta({
      description: 'The last segment of the `id` of the access token. Absent after a sign-in.',
    }),
  }),
  z.enum(['operator', 'service']),
]);

export const changeKind = z.enum(CHANGE_KINDS);

export const changeResource = z
  .strictObject({
    '@context': z.literal('/contexts/Change.jsonld'),
    '@type': z.literal('Change'),
    id: z.string().meta({ description: 'Identifies the change.' }),
    kind: changeKind.meta({
      description: CHANGE_KINDS.map((kind) => `\`${kind}\`: ${KIND_MEANINGS[kind]}`).join(' '),
    }),
    at: z.iso.datetime().meta({ description: 'When it happened.' }),
    account: z.string().meta({ description: 'Path of the primary account.' }),
    integration: z.string().meta({ description: 'Path of the integration, which may be deleted.' }),
    baseUrl: z
      .string()
      .meta({ description: 'Its scheme and host at that time; `…` for the rest.' }),
    description: z.string().optional().meta({ description: 'Its description at that time.' }),
    by: actorResource.meta({
      description:
        'A user, an `operator` of the service, or the `service`, because of what the endpoint did.',
    }),
    members: z.array(memberResource).optional().meta({ description: 'Of `settings-changed`.' }),
    statusCode: z.int().optional().meta({
      description: 'Of `busy`, `failed` and `recovered`: the latest answer of the endpoint.',
    }),
    ...reasonMembers,
    since: z.iso.datetime().optional().meta({
      description: 'Of `busy`, `failed` and `recovered`: when the trouble began.',
    }),
    endedBy: z.enum(['success', 'settings', 'request', 'nothing-pending']).optional().meta({
      description:
        'Of `recovered`: a confirmed attempt, a change of settings, a call of `recover`, or a retry that found nothing pending.',
    }),
    count: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Of `event-set-aside`: how many events.' }),
  })
  .meta({ id: 'Change', description: 'A change of an integration, and who made it.' });

/** What happened to an integration: as it is stored, published and read. */
export type Change = z.output<typeof changeResource>;

export const changeTerms: Terms = {
  ...terms('Change', 'kind', 'description', 'by', 'token', 'name', 'from', 'to'),
  ...terms('statusCode', 'reason', 'detail', 'endedBy', 'count'),
  ...lists('members'),
  ...links('account', 'integration', 'user'),
  ...addresses('baseUrl'),
  ...instants('at', 'since'),
};

export const changeCollection = collectionOf(changeResource, {
  id: 'ChangeCollection',
  description: 'A page of the changes of an account’s integrations.',
});

export const changesPath = (account: string): string => `/${account}/changes`;
