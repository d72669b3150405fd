import {
  accessTokenResource,
  presentAccessToken,
} from '../../../core/directory/access-token-resource.ts';
import { consoleSessionDocument } from '../../../core/directory/console-link-resource.ts';
import type { OpenConsole } from '../../../core/directory/open-console.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { jsonEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/console-sessions',
  access: 'code',
  operationId: 'createConsoleSession',
  tag: 'Console links',
  summary: 'Open a link to the console',
  description:
    'The console calls it with the code of a link, and gets an access token. The code is then invalid, also if the answer is lost.',
  body: {
    schema: consoleSessionDocument,
    examples: {
      link: {
        summary: 'The code of a link',
        value: { code: 'mcl_0f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5' },
      },
    },
  },
  answers: [
    {
      status: 201,
      description: 'An access token that expires when the session ends.',
      schema: accessTokenResource,
      recorded: { link: 'The token of a session' },
    },
  ],
  refusals: ['console-link-expired', 'not-found'],
} as const satisfies Route;

export const createHandler = (deps: { openConsole: OpenConsole; logger: Logger }) =>
  jsonEndpoint(route, deps.logger, {
    handle: async ({ body }) => {
      const { token, issued } = await deps.openConsole(body);
      const { account, id, role } = issued;
      deps.logger.info('console_link.opened', { account, tokenId: id, role });
      return { statusCode: 201, document: presentAccessToken(issued, token) };
    },
  });
