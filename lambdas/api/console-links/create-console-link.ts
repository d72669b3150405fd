import {
  consoleLinkDocument,
  consoleLinkResource,
  presentConsoleLink,
} from '../../../core/directory/console-link-resource.ts';
import type { CreateConsoleLink } from '../../../core/directory/open-console.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { jsonEndpoint } from '../runtime/api-endpoint.ts';
import { requirePlatform } from '../runtime/platform-roles.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/accounts/{account}/console-links',
  access: 'platform',
  operationId: 'createConsoleLink',
  tag: 'Console links',
  summary: 'Create a link to the console',
  description: [
    'For the backend of the platform, whose user is signed in there. Lead the user’s browser to `url` within 60 seconds: the first who opens it uses the console in the account, until `sessionEndsAt`.',
    'Changes are listed as those of `user`. A link whose answer is lost expires: create another.',
  ].join('\n\n'),
  body: {
    schema: consoleLinkDocument,
    examples: {
      admin: {
        summary: 'For an admin, for four hours',
        value: { user: 'Ada Lovelace', role: 'admin', durationSeconds: 14_400 },
      },
      page: {
        summary: 'To the page of its activity',
        value: { user: 'Ada Lovelace', role: 'member', page: '/accounts/acme/settings/activity' },
      },
    },
  },
  answers: [
    {
      status: 201,
      description: 'The link. Nothing shows it again.',
      schema: consoleLinkResource,
      recorded: { admin: 'A link' },
    },
  ],
  refusals: ['not-found', 'forbidden'],
} as const satisfies Route;

export const createHandler = (deps: {
  createConsoleLink: CreateConsoleLink;
  /** ARNs of IAM. */
  consoleLinkRoles: readonly string[];
  logger: Logger;
}) =>
  jsonEndpoint(route, deps.logger, {
    admit: requirePlatform(deps.consoleLinkRoles),
    handle: async ({ parameter, body }) => {
      const created = await deps.createConsoleLink(parameter('account'), body);
      const { account, role } = created.link;
      deps.logger.info('console_link.created', { account, role });
      return { statusCode: 201, document: presentConsoleLink(created) };
    },
  });
