import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SentMail } from 'local-aws/aws/mails.ts';
import * as z from 'zod';
import { newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/pending-events/pending-view.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { awsClientConfig } from '../endpoints-file.ts';
import type { SeededRun } from '../seeded-run.ts';
import type { Playground } from './playground.ts';
import { Arrivals, type PlaygroundHook } from './playground-hook.ts';
import { eventOf, isVerified, type ReceivedPost, readPost } from './received-post.ts';

/** Something did not happen in time. The message names it. */
export class DemoFailed extends Error {}

const PATIENCE_MS = 30_000;
const BETWEEN_READS_MS = 100;

const shownSchema = z.object({
  id: z.string(),
  status: z.string(),
  isHealthy: z.boolean(),
  failure: z
    .object({
      since: z.string(),
      statusCode: z.number().optional(),
      reason: z.string().optional(),
      lastAttemptAt: z.string(),
      nextAttemptAt: z.string(),
    })
    .optional(),
});

/** An integration as the API shows it. */
export type ShownIntegration = z.infer<typeof shownSchema>;

interface Registration {
  readonly run: SeededRun;
  readonly playground: Playground;
  /** Gets each POST, and whether the endpoint had confirmed the same delivery before. */
  readonly onPost?: (post: ReceivedPost, isRepeated: boolean) => void;
}

/** Registers an endpoint of the playground for every event type through the API. */
export const registerWebhook = async (
  name: string,
  { run, playground, onPost }: Registration,
): Promise<DemoWebhook> => {
  const { customer } = run;
  const url = `${playground.origin}/hooks/${name}`;
  const webhookSecret = newWebhookSecret();
  const { id } = await callApi(run, `/${customer.account}/integrations`, {
    active: true,
    provider: 'webhook',
    config: { baseUrl: url, webhookSecret },
    settings: { actions: Object.fromEntries(EVENT_TYPES.map((type) => [type, true])) },
  });
  const webhook = new DemoWebhook({ run, url, integration: id, hook: playground.hookOf(name) });
  webhook.hook.onRequest((request) => {
    const post = readPost(request, webhookSecret);
    onPost?.(post, webhook.note(post));
  });
  return webhook;
};

/** Throws when the API refuses. */
const callApi = async (
  { customer, endpoints }: SeededRun,
  path: string,
  document?: object,
): Promise<ShownIntegration> => {
  const response = await fetch(endpoints.api + path, {
    headers: {
      Authorization: `Bearer ${document ? customer.adminToken : customer.memberToken}`,
      Accept: 'application/vnd.service+jsonld',
      'Content-Type': 'application/vnd.service+jsonld',
    },
    ...(document && { method: 'POST', body: JSON.stringify(document) }),
  });
  const text = await response.text();
  if (response.ok) return shownSchema.parse(JSON.parse(text));
  throw new Error(`The API answered ${response.status} to ${path}: ${text}`);
};

interface Parts {
  readonly run: SeededRun;
  readonly integration: string;
  readonly url: string;
  readonly hook: PlaygroundHook;
}

/** A registered webhook, the events that were sent to it, and the POSTs that its endpoint received. */
export class DemoWebhook {
  readonly integration: string;
  readonly url: string;
  readonly hook: PlaygroundHook;
  duplicates = 0;
  readonly #run: SeededRun;
  readonly #pending: DynamoDbPendingView;
  readonly #sent = new Map<string, PlatformEvent>();
  readonly #confirmed = new Set<string>();
  readonly #posts = new Arrivals<ReceivedPost>();

  constructor({ run, integration, url, hook }: Parts) {
    this.#run = run;
    this.integration = integration;
    this.url = url;
    this.hook = hook;
    this.#pending = new DynamoDbPendingView(
      DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig(run.endpoints))),
      run.outputs.PendingEventsTableName ?? '',
    );
  }

  get sent(): number {
    return this.#sent.size;
  }

  get posts(): readonly ReceivedPost[] {
    return this.#posts.all;
  }

  /** Events that were sent and that the endpoint has not confirmed. */
  get missing(): readonly PlatformEvent[] {
    return [...this.#sent.values()].filter(({ id }) => !this.#confirmed.has(id));
  }

  get unverified(): number {
    return this.posts.filter((post) => !isVerified(post)).length;
  }

  async send(events: readonly PlatformEvent[]): Promise<void> {
    for (const event of events) this.#sent.set(event.id, event);
    await Promise.all(events.map((event) => this.#run.events.send(event)));
  }

  /** Returns whether the endpoint had confirmed the same delivery before. */
  note(post: ReceivedPost): boolean {
    const event = eventOf(post);
    const isRepeated = event !== undefined && this.#confirmed.has(event);
    if (isRepeated) this.duplicates += 1;
    if (event !== undefined && post.statusCode < 300) this.#confirmed.add(event);
    this.#posts.add(post);
    return isRepeated;
  }

  /** Waits for POSTs. Throws DemoFailed. */
  async waitFor(what: string, isMet: () => boolean): Promise<void> {
    if (await this.#posts.until(isMet, AbortSignal.timeout(PATIENCE_MS))) return;
    throw new DemoFailed(`Waited ${PATIENCE_MS / 1_000} s in vain until ${what}.`);
  }

  async waitForDeliveries(): Promise<void> {
    await this.waitFor('all events are delivered', () => this.missing.length === 0);
  }

  /** Reads the integration until it has the status. Throws DemoFailed. */
  async waitForStatus(status: string): Promise<ShownIntegration> {
    const read = () => callApi(this.#run, this.integration);
    const shown = await readUntil(read, (integration) => integration.status === status);
    if (shown.status === status) return shown;
    throw new DemoFailed(`The integration's status is ${shown.status}, not ${status}.`);
  }

  /** Counts the pending events in the table until there are so many. Throws DemoFailed. */
  async waitForPending(count: number): Promise<void> {
    const integration = this.integration.split('/').at(-1) ?? '';
    const countPending = async () =>
      (await this.#pending.count({ integration, state: 'pending' }, count + 1)).count;
    const pending = await readUntil(countPending, (found) => found === count);
    if (pending === count) return;
    throw new DemoFailed(`The number of pending events is ${pending}, not ${count}.`);
  }

  /** The latest e-mail whose subject names the webhook and has the words. Throws DemoFailed. */
  async waitForMail(words: string): Promise<SentMail> {
    const wanted = [`(${this.integration.split('/').at(-1)})`, words];
    const find = async () =>
      this.#run.mailed.findLast(({ subject }) => wanted.every((part) => subject.includes(part)));
    const mail = await readUntil(find, (found) => found !== undefined);
    if (mail !== undefined) return mail;
    throw new DemoFailed(`There is no e-mail with the subject “${wanted.join(' … ')}”.`);
  }
}

/** Reads until the value is as wanted or the patience is over. Resolves to the last value. */
const readUntil = async <Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> => {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isWanted(value) || performance.now() > endsAt) return value;
    await delay(BETWEEN_READS_MS);
  }
};
