import { type GetSignature, signatureResource } from '../../../core/directory/get-signature.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/users/{user}/signature',
  access: 'member',
  operationId: 'getSignature',
  tag: 'Signatures',
  summary: 'Get a user’s signature',
  description:
    'The signature of any user of the token’s account. `content` is empty if the user has none.',
  answers: [
    {
      status: 200,
      description: 'The signature.',
      schema: signatureResource,
      recorded: { signature: 'A user’s signature' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { getSignature: GetSignature; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: await deps.getSignature(request.principal.account, request.parameter('user')),
  }));
