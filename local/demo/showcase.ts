import type { SentMail } from 'local-aws/aws/mails.ts';
import type { SeededRun } from '../seeded-run.ts';
import { DemoFailed, type DemoWebhook, registerWebhook } from './demo-webhook.ts';
import { demoEvents } from './events.ts';
import type { Playground } from './playground.ts';
import type { ReceivedPost } from './received-post.ts';

/** Two webhooks to look at: the endpoint of one confirms, and the endpoint of the other fails. */
export interface Showcase {
  readonly working: DemoWebhook;
  readonly failing: DemoWebhook;
}

export const prepareShowcase = async (
  run: SeededRun,
  playground: Playground,
  onPost: (post: ReceivedPost, isRepeated: boolean) => void,
): Promise<Showcase> => {
  const working = await registerWebhook('working', { run, playground, onPost });
  const failing = await registerWebhook('failing', { run, playground });
  failing.hook.answerWith(500);
  return { working, failing };
};

/**
 * Sends events to both webhooks, and waits for the expected results. Resolves to the e-mail about
 * the failure. Throws DemoFailed.
 */
export const runShowcase = async (
  { working, failing }: Showcase,
  account: string,
): Promise<SentMail> => {
  const events = demoEvents(account, new Date());
  await working.send(events);
  await working.waitForDeliveries();
  if (working.unverified > 0) {
    throw new DemoFailed(`${working.unverified} POSTs have a wrong signature.`);
  }
  await failing.waitForStatus('failed');
  await failing.waitForPending(events.length);
  return failing.waitForMail('failed');
};
