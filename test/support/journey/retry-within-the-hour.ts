import { type CustomerWebhook, isBeforeTheHour } from './customer-webhook.ts';

/**
 * Asks for a retry of a webhook that stays failed, and looks at what it did before the attempt of the
 * hour. On a busy machine that attempt may have begun by then: then asks again.
 */
export const retryWithinTheHour = async (webhook: CustomerWebhook) => {
  for (;;) {
    const beforeIt = await webhook.longBeforeTheHour();
    const attempts = webhook.deliveries.all.length;
    const reply = await webhook.post('/retry');
    const posts = webhook.deliveries.all.length;
    const read = await webhook.read();
    if (isBeforeTheHour(beforeIt)) {
      return { ...reply, attempts, posts, read, failure: beforeIt.failure };
    }
  }
};
