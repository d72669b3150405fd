import { EVENT_TYPES } from '../events/event-type.ts';
import {
  addresses,
  freeForm,
  instants,
  links,
  lists,
  renamed,
  type Term,
  type Terms,
  terms,
} from './vocabulary.ts';

const delivery: Terms = {
  ...terms('Delivery', 'eventType', 'outcome', 'isPending', 'body'),
  ...links('integration'),
  ...instants('occurredAt', 'deliveredAt'),
};

const attempt: Terms = {
  ...terms('Attempt', 'number', 'trigger', 'durationMs', 'outcome', 'statusCode', 'reason'),
  ...terms('code', 'response'),
  ...instants('startedAt', 'nextAttemptAt'),
};

/** The terms of every type that a document of the API has. Each is told: nothing is dropped. */
const TERMS: Readonly<Record<string, Terms>> = {
  Integration: {
    ...terms('Integration', 'active', 'provider', 'config', 'webhookSecret', 'clientSecret'),
    ...terms('settings', 'actions', ...EVENT_TYPES),
    ...terms('status', 'isHealthy', 'failure', 'statusCode', 'reason'),
    ...addresses('baseUrl'),
    ...instants('since', 'lastAttemptAt', 'nextAttemptAt', 'previousSecretExpiresAt'),
    ...instants('createdAt', 'updatedAt'),
  },
  Signature: terms('Signature', 'content'),
  Collection: {
    ...terms('Collection', 'PartialCollectionView', 'totalItems', 'totalItemsAtLeast', 'view'),
    ...lists('member'),
    ...links('next'),
  },
  PartialCollectionView: { ...terms('PartialCollectionView'), ...links('next') },
  Attempt: attempt,
  Delivery: { ...attempt, ...delivery, ...terms('latestAttempt'), ...lists('attempts') },
  EventType: { ...terms('EventType', 'name', 'description'), ...freeForm('schema', 'sample') },
  WebhookTest: {
    ...attempt,
    ...terms('WebhookTest', 'eventType', 'request', 'attempt', 'body'),
    ...links('integration', 'delivery'),
    ...addresses('url'),
    ...freeForm('headers'),
  },
  Retry: {
    ...attempt,
    ...terms('Retry', 'result', 'status', 'attempt', 'body'),
    ...links('integration', 'delivery'),
  },
  Recovery: {
    ...terms('Recovery', 'status'),
    ...links('integration'),
    ...instants('since', 'requestedAt'),
  },
  WebhookDelivery: {
    ...terms('WebhookDelivery'),
    // The contract has words of its own for what a Delivery has as well.
    ...renamed(delivery, { action: 'eventType', timestamp: 'occurredAt', webHook: 'integration' }),
    ...freeForm('data'),
  },
};

interface ContextDocument {
  readonly '@context': Readonly<Record<string, Term | number>>;
}

/** By file name, such as `Delivery.jsonld`: what `@context` members of our documents lead to. */
export const CONTEXT_DOCUMENTS: ReadonlyMap<string, ContextDocument> = new Map(
  Object.entries(TERMS).map(([name, ofType]) => [
    `${name}.jsonld`,
    { '@context': { '@version': 1.1, id: '@id', ...ofType } },
  ]),
);
