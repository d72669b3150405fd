import { signatureResource } from '../../../core/directory/get-signature.ts';
import { type SetSignature, signatureDocument } from '../../../core/directory/set-signature.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { jsonEndpoint } from '../runtime/api-endpoint.ts';
import { callerOf, requirePlatform } from '../runtime/platform-roles.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'PUT',
  path: '/users/{user}/signature',
  access: 'platform',
  operationId: 'setSignature',
  tag: 'Signatures',
  summary: 'Set or remove a user’s signature',
  description: 'For the backend of the platform. An empty `content` removes the signature.',
  body: {
    schema: signatureDocument,
    examples: {
      signature: {
        summary: 'A signature of two lines',
        value: { '@type': 'Signature', content: 'Ada Lovelace\nAcme Inc.' },
      },
    },
  },
  answers: [
    {
      status: 200,
      description: 'The signature as it is now.',
      schema: signatureResource,
      recorded: { signature: 'A signature that was set' },
    },
  ],
  refusals: ['not-found', 'forbidden'],
} as const satisfies Route;

export const createHandler = (deps: {
  setSignature: SetSignature;
  /** ARNs of IAM. */
  consoleLinkRoles: readonly string[];
  logger: Logger;
}) =>
  jsonEndpoint(route, deps.logger, {
    admit: requirePlatform(deps.consoleLinkRoles),
    handle: async ({ parameter, body }, event) => {
      const user = parameter('user');
      const document = await deps.setSignature(user, body);
      deps.logger.info('signature.set', {
        user,
        by: callerOf(event),
        isRemoved: document.content === '',
      });
      return { statusCode: 200, document };
    },
  });
