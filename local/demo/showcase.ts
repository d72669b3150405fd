import { newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import { createPostReader, type ReceivedPost } from '../receiver/received-post.ts';
import type { SeededRun } from '../seeded-run.ts';
import { demoEvents } from './events.ts';
import {
  type ObservedIntegration,
  observeIntegration,
  readUntil,
  registerWebhook,
} from './integration.ts';
import type { Playground } from './playground.ts';
import { headerOf } from './playground-hook.ts';
import { Tally } from './tally.ts';

/** Endpoints of the playground, so that their answers can be changed. */
const WORKING_HOOK = 'working';
const FAILING_HOOK = 'failing';

/** Two webhooks to look at: the endpoint of one confirms, and the endpoint of the other fails. */
export interface Showcase {
  readonly working: Shown;
  readonly failing: Shown;
  /**
   * Sends an event of each type to both. Resolves to what went wrong within `patienceMs`; undefined
   * when all was delivered to one endpoint, verified by both signatures, and the other webhook is
   * failed with all of its events pending.
   */
  run(patienceMs: number): Promise<string | undefined>;
}

interface Shown {
  /** Path of the integration. */
  readonly integration: string;
  readonly url: string;
}

export const prepareShowcase = async (
  run: SeededRun,
  playground: Playground,
  onPost: (post: ReceivedPost) => void,
): Promise<Showcase> => {
  const { customer, endpoints, events } = run;
  const register = async (hook: string, webhookSecret: string): Promise<Shown> => {
    const url = `${playground.origin}/hooks/${hook}`;
    const registration = { api: endpoints.api, customer, webhookSecret };
    return { url, integration: await registerWebhook(url, registration) };
  };
  const tally = new Tally();
  const webhookSecret = newWebhookSecret();
  const readPost = createPostReader(webhookSecret);
  playground.hookOf(WORKING_HOOK).onRequest(({ body, rawHeaders, statusCode }) => {
    const header = (name: string) => headerOf({ rawHeaders }, name) ?? '';
    const post = readPost({ body, header }, () => statusCode);
    onPost(post);
    tally.notePost(post);
  });
  playground.hookOf(FAILING_HOOK).answer = 500;
  const working = await register(WORKING_HOOK, webhookSecret);
  const failing = await register(FAILING_HOOK, newWebhookSecret());
  return {
    working,
    failing,
    run: async (patienceMs) => {
      const sent = demoEvents(customer.account, new Date());
      for (const event of sent) tally.noteSent(event);
      await Promise.all(sent.map((event) => events.send(event)));
      return (
        (await faultOfWorking(tally, patienceMs)) ??
        (await faultOfFailing(observeIntegration(failing.integration, run), {
          count: sent.length,
          patienceMs,
        }))
      );
    },
  };
};

const faultOfWorking = async (tally: Tally, patienceMs: number): Promise<string | undefined> => {
  await tally.when(() => tally.missing.length === 0, patienceMs);
  const types = tally.missing.map(({ type }) => type);
  if (types.length > 0) return `not delivered: ${types.join(', ')}`;
  return tally.unverified > 0 ? `${tally.unverified} POSTs have a wrong signature` : undefined;
};

const faultOfFailing = async (
  { countPending, read }: ObservedIntegration,
  { count, patienceMs }: { count: number; patienceMs: number },
): Promise<string | undefined> => {
  const { status } = await readUntil(read, (shown) => shown.status === 'failed', { patienceMs });
  if (status !== 'failed') return `the status of the failing webhook is ${status}`;
  const pending = await readUntil(countPending, (found) => found >= count, { patienceMs });
  return pending < count ? `only ${pending} events of the failing webhook wait` : undefined;
};
