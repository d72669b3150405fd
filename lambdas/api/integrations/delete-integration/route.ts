import type { Route } from '../../runtime/route.ts';

export const route = {
  method: 'DELETE',
  path: '/integrations/{id}',
  access: 'admin',
  operationId: 'deleteIntegration',
  tag: 'Integrations',
  summary: 'Delete an integration',
  description:
    'Nothing is sent any more. Its pending events are deleted soon after. Its delivery log can no longer be read, and expires within 30 days.',
  requestHeaders: ['If-Match'],
  answers: [{ status: 204, description: 'It is deleted.' }],
  refusals: ['not-found', 'conflict', 'precondition-failed'],
} as const satisfies Route;
