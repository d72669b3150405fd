import { IN_WORDS } from '../../../core/customer-limits.ts';
import type { CreateIntegration } from '../../../core/integration/create-integration.ts';
import { integrationDocument } from '../../../core/integration/integration-document.ts';
import {
  entityTag,
  integrationPath,
  integrationResource,
  presentIntegration,
} from '../../../core/integration/integration-resource.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { actorOf, apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { writtenIntegration } from './written-integration.ts';

export const route = {
  method: 'POST',
  path: '/{account_name}/integrations',
  access: 'admin',
  operationId: 'createIntegration',
  tag: 'Integrations',
  summary: 'Create an integration',
  description: [
    'Registers the endpoint and subscribes it to event types in one call. `account_name` is the account of the token.',
    'Only this answer shows the webhook secret; later ones show `[FILTERED]`. Keep it.',
    'For 24 hours, a call with the same `Idempotency-Key` and body answers with the integration of the first call.',
    `An account has at most ${IN_WORDS.integrations}.`,
  ].join('\n\n'),
  requestHeaders: ['Idempotency-Key'],
  body: {
    schema: integrationDocument,
    examples: {
      subscribed: {
        summary: 'Incoming messages, and outgoing ones that failed',
        value: writtenIntegration,
      },
      withDefaults: {
        summary: 'The default subscriptions, with your own secret',
        value: {
          active: true,
          provider: 'webhook',
          config: {
            baseUrl: 'https://hooks.example.com/in',
            webhookSecret: 'a secret of my own making',
          },
          settings: {},
        },
      },
      behindGateway: {
        summary: 'With a description, behind a gateway that requires a key',
        value: {
          ...writtenIntegration,
          description: 'Orders, production',
          config: {
            ...writtenIntegration.config,
            headers: { 'X-Api-Key': 'a key of the gateway' },
          },
        },
      },
    },
  },
  answers: [
    {
      status: 201,
      description: 'The integration, with its webhook secret.',
      schema: integrationResource,
      headers: ['ETag', 'Location'],
      recorded: {
        subscribed: 'With a generated secret',
        withDefaults: 'With the default subscriptions and your own secret',
        behindGateway: 'With the names of its headers',
      },
    },
  ],
  refusals: ['not-found', 'idempotency-conflict', 'integration-quota'],
} as const satisfies Route;

export const createHandler = (deps: {
  createIntegration: CreateIntegration;
  now: () => Date;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, user } = request.principal;
    const { integration, ...shown } = await deps.createIntegration({
      account,
      by: actorOf(request),
      document: request.body,
      idempotencyKey: request.header('idempotency-key'),
    });
    deps.logger.info('integration.created', { account, user, integration: integration.id });
    return {
      statusCode: 201,
      document: presentIntegration(integration, deps.now(), shown),
      headers: { ETag: entityTag(integration) },
      location: integrationPath(integration.id),
    };
  });
