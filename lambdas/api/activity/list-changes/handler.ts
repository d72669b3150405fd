import { changesPath, presentChange } from '../../../../core/changes/change-resource.ts';
import type { ListChanges } from '../../../../core/changes/list-changes.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

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
        members: changes.map(presentChange),
        next,
      }),
    };
  });
