import * as z from 'zod';
import {
  changeCollection,
  changeKind,
  changesPath,
} from '../../../core/changes/change-resource.ts';
import type { ListChanges } from '../../../core/changes/list-changes.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import {
  cursorParameter,
  instantParameter,
  integrationParameter,
  limitParameter,
  SINCE_BEFORE_UNTIL,
} from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

const query = z
  .strictObject({
    integration: integrationParameter.optional().meta({
      description:
        'Only changes of this integration, also of a deleted one: its path, or the last segment of it.',
    }),
    kind: changeKind.optional().meta({ description: 'Only changes of this kind.' }),
    since: instantParameter.optional().meta({
      description:
        'Only changes at this instant or later: RFC 3339, such as `2026-11-20T12:00:00Z`; `+` as `%2B`.',
    }),
    until: instantParameter.optional().meta({
      description:
        'Only changes before this instant: RFC 3339, such as `2026-11-21T00:00:00Z`; `+` as `%2B`.',
    }),
    limit: limitParameter,
    cursor: cursorParameter,
  })
  .refine(...SINCE_BEFORE_UNTIL);

export const route = {
  method: 'GET',
  path: '/{account_name}/changes',
  access: 'member',
  operationId: 'listChanges',
  tag: 'Activity',
  summary: 'List changes',
  description:
    'Who created, changed or deleted an integration, when it failed and recovered, and which events were set aside; newest first. Changes are stored for 400 days, even if the integration is deleted, and listed some seconds after they happen. A page can have fewer members than `limit`, or none, and still have `view.next`: follow it to the last page.',
  query,
  answers: [
    {
      status: 200,
      description: 'A page of changes.',
      schema: changeCollection,
      recorded: { page: 'The first page of more' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { listChanges: ListChanges; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account }, query }) => {
    const { integration, kind, since, until, limit, cursor } = query;
    const { changes, next } = await deps.listChanges(account, {
      integration,
      kind,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      limit,
      after: cursor,
    });
    return {
      statusCode: 200,
      document: presentCollection({
        path: changesPath(account),
        query: { integration, kind, since, until, limit, cursor },
        members: changes,
        next,
      }),
    };
  });
