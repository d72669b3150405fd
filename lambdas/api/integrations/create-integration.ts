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
import {
  readIntegration,
  withActions,
  withNewSecret,
  withSecret,
  writtenIntegration,
} from './integration-examples.ts';

const OWN_SECRET = 'a secret of my own making';

export const route = {
  method: 'POST',
  path: '/{account_name}/integrations',
  access: 'admin',
  operationId: 'createIntegration',
  tag: 'Integrations',
  summary: 'Register a webhook',
  description: [
    'Registers the endpoint and subscribes it to event types in one call. `account_name` is the account of the token.',
    'The webhook secret is shown in this answer, and `[FILTERED]` in every later one: keep it.',
    'With an `Idempotency-Key`, the same key and body answer with the integration that the first call made, for 24 hours.',
    'The number of integrations of an account is limited: 100, unless the operator has set another number.',
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
        summary: 'The usual subscriptions, with a secret of one’s own',
        value: {
          active: true,
          provider: 'webhook',
          config: {
            baseUrl: 'https://hooks.example.com/in',
            webhookSecret: OWN_SECRET,
          },
          settings: {},
        },
      },
      behindGateway: {
        summary: 'With a name, behind a gateway that wants a key',
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
      examples: {
        subscribed: { summary: 'With a secret that was made', value: withNewSecret },
        withDefaults: {
          summary: 'With the usual subscriptions and a secret of one’s own',
          value: withSecret(
            withActions(readIntegration, { 'message.delivered': true, 'message.failed': false }),
            OWN_SECRET,
          ),
        },
        behindGateway: {
          summary: 'With the names of its headers',
          value: {
            ...withNewSecret,
            description: 'Orders, production',
            config: { ...withNewSecret.config, headers: { 'X-Api-Key': '[FILTERED]' } },
          },
        },
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
