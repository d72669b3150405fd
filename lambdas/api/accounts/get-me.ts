import { type GetMe, meResource } from '../../../core/directory/get-me.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/me',
  access: 'member',
  operationId: 'getMe',
  tag: 'Accounts',
  summary: 'Get the caller',
  description: 'The user, the user’s account and organisation, and what the token may do.',
  answers: [
    {
      status: 200,
      description: 'The caller.',
      schema: meResource,
      recorded: { admin: 'An organisation admin' },
    },
  ],
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { getMe: GetMe; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal }) => ({
    statusCode: 200,
    document: await deps.getMe(principal),
  }));
