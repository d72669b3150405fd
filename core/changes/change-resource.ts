import * as z from 'zod';
import { userPath } from '../directory/user-resource.ts';
import type { Actor } from '../integration/integration.ts';
import { integrationPath } from '../integration/integration-resource.ts';
import { presentReason, reasonMembers } from '../integration/reason-resource.ts';
import { collectionOf } from '../json-ld/collection.ts';
import { addresses, instants, links, lists, type Terms, terms } from '../json-ld/vocabulary.ts';
import { CHANGE_KINDS, type Change, ENDED_BY } from './change.ts';

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
      description:
        '`settings-changed`: see `members`. `secret-rotated`: the webhook secret was replaced. `activated`, `deactivated`: `active` changed. `busy`, `failed`: deliveries stopped. `recovered`: deliveries continue. `event-set-aside`: events were set aside.',
    }),
    at: z.iso.datetime().meta({ description: 'When it happened.' }),
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
    endedBy: z.enum(ENDED_BY).optional().meta({
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

export type ChangeResource = z.output<typeof changeResource>;

export const changeTerms: Terms = {
  ...terms('Change', 'kind', 'description', 'by', 'token', 'name', 'from', 'to'),
  ...terms('statusCode', 'reason', 'detail', 'endedBy', 'count'),
  ...lists('members'),
  ...links('integration', 'user'),
  ...addresses('baseUrl'),
  ...instants('at', 'since'),
};

export const changeCollection = collectionOf(changeResource, {
  id: 'ChangeCollection',
  description: 'A page of the changes of an account’s integrations.',
});

export const changesPath = (account: string): string => `/${account}/changes`;

export const presentChange = ({
  id,
  account,
  integration,
  by,
  members,
  ...shown
}: Change): ChangeResource => ({
  '@context': '/contexts/Change.jsonld',
  '@type': 'Change',
  id: `${changesPath(account)}/${id}`,
  integration: integrationPath(integration),
  by: presentActor(by),
  ...shown,
  ...(shown.reason !== undefined && presentReason(shown.reason)),
  ...(members && {
    members: members.map(({ member, ...values }) => ({ name: member, ...values })),
  }),
});

const presentActor = (by: Actor): ChangeResource['by'] =>
  by.kind === 'user'
    ? { user: userPath(by.user), ...(by.token !== undefined && { token: by.token }) }
    : by.kind;
