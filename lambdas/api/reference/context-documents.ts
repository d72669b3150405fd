import { changeTerms } from '../../../core/changes/change-resource.ts';
import { attemptTerms, deliveryTerms } from '../../../core/delivery/resources/delivery-resource.ts';
import {
  recoveryTerms,
  retryTerms,
  webhookTestTerms,
} from '../../../core/delivery/resources/send-resources.ts';
import { webhookBodyTerms } from '../../../core/delivery/resources/webhook-body-resource.ts';
import { statisticsTerms } from '../../../core/delivery/statistics/statistics-resource.ts';
import { accessTokenTerms } from '../../../core/directory/access-token-resource.ts';
import { accountTerms } from '../../../core/directory/account-resource.ts';
import { consoleLinkTerms } from '../../../core/directory/console-link-resource.ts';
import { meTerms } from '../../../core/directory/get-me.ts';
import { signatureTerms } from '../../../core/directory/get-signature.ts';
import { userTerms } from '../../../core/directory/user-resource.ts';
import { eventTypeTerms } from '../../../core/event/event-type-resource.ts';
import { integrationTerms } from '../../../core/integration/integration-resource.ts';
import { collectionTerms } from '../../../core/json-ld/collection.ts';
import type { Term, Terms } from '../../../core/json-ld/vocabulary.ts';

/** The terms of every type in documents of the API. They are defined beside the type's schema. */
const TERMS: Readonly<Record<string, Terms>> = {
  Integration: integrationTerms,
  Me: meTerms,
  Account: accountTerms,
  User: userTerms,
  AccessToken: accessTokenTerms,
  ConsoleLink: consoleLinkTerms,
  Signature: signatureTerms,
  ...collectionTerms,
  Attempt: attemptTerms,
  Delivery: deliveryTerms,
  Change: changeTerms,
  EventType: eventTypeTerms,
  WebhookTest: webhookTestTerms,
  Retry: retryTerms,
  Recovery: recoveryTerms,
  Statistics: statisticsTerms,
  WebhookDelivery: webhookBodyTerms,
};

export interface ContextDocument {
  readonly '@context': Readonly<Record<string, Term | number>>;
}

/** The contexts that `@context` members refer to, by file name, such as `Delivery.jsonld`. */
export const CONTEXT_DOCUMENTS: ReadonlyMap<string, ContextDocument> = new Map(
  Object.entries(TERMS).map(([name, ofType]) => [
    `${name}.jsonld`,
    { '@context': { '@version': 1.1, id: '@id', ...ofType } },
  ]),
);
