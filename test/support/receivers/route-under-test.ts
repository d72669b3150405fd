import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { CustomerWebhook } from '../journey/customer-webhook.ts';
import type { SampleEvent } from '../journey/platform-of.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { carries } from '../receiver/received-deliveries.ts';
import { answer } from '../receiver/receiver-behaviours.ts';
import { type Post, passOn, post, type Route } from './posts.ts';
import type { ReceiverProgram } from './receiver-program.ts';

/** A secret as the service makes it, and as Standard Webhooks libraries take it. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** An event, and what the service sent for it. */
interface Sent {
  readonly webhook: CustomerWebhook;
  readonly event: SampleEvent;
  readonly sent: Post;
}

interface Parts {
  /** The HTTPS server that passes requests on to the receiver. */
  readonly front: MisbehavingReceiver;
  readonly program: ReceiverProgram;
  readonly route: Route;
  /** Starts the receiver as during a rotation, or returns the one that was started so. */
  readonly duringRotation: () => Promise<ReceiverProgram>;
}

let paths = 0;

/** One route of a receiver that runs, behind the service. */
export class RouteUnderTest {
  readonly route: Route;
  readonly program: ReceiverProgram;
  readonly #parts: Parts;
  readonly #paths: string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.route = parts.route;
    this.program = parts.program;
  }

  get signatureHeader(): string {
    return this.route === '/hooks' ? 'x-service-signature' : 'webhook-signature';
  }

  get requiredHeaders(): readonly string[] {
    return this.route === '/hooks'
      ? [this.signatureHeader]
      : [this.signatureHeader, 'webhook-id', 'webhook-timestamp'];
  }

  /** A route of the receiver that accepts the next secret, and this one as the previous one. */
  async duringRotation(): Promise<RouteUnderTest> {
    return new RouteUnderTest({ ...this.#parts, program: await this.#parts.duringRotation() });
  }

  /** Has the receiver of this route get what the service sends to another route from now on. */
  takeOver(other: RouteUnderTest): void {
    for (const path of other.#paths) {
      this.#parts.front.behave(path, passOn(this.program.port, this.route));
    }
  }

  /** A webhook of a new customer that leads here, with one of the receiver's secrets. */
  webhook(webhookSecret = this.program.secrets.secret): Promise<CustomerWebhook> {
    paths += 1;
    const path = `/${paths}`;
    this.#paths.push(path);
    const behaves = [passOn(this.program.port, this.route)];
    const actions = Object.fromEntries(EVENT_TYPES.map((type) => [type, true]));
    return CustomerWebhook.at(this.#parts.front, path, { behaves, webhookSecret, actions });
  }

  /** Ends what the service still sends: deliveries without an answer back off. */
  retire(): void {
    for (const path of this.#paths.splice(0)) this.#parts.front.behave(path, answer(204));
  }

  /** Has the service deliver an event, or several at once. Throws unless each is accepted. */
  async accepts(
    webhook: CustomerWebhook,
    events: readonly SampleEvent[] = [webhook.customer.sampleEvent()],
    publish: () => Promise<void> = () => webhook.customer.publish(...events),
  ): Promise<readonly [Sent, ...Sent[]]> {
    await publish();
    for (const event of events) {
      const delivery = await webhook.deliveryThat(event, ({ attempts }) => attempts.length > 0);
      expect(delivery.attempts).toMatchObject([{ outcome: 'delivered' }]);
    }
    for (const event of events) {
      const line = acceptedLine(webhook, event);
      await this.program.tells((told) => told.includes(line), line);
    }
    const [first, ...others] = events.map((event) => sentTo(webhook, event));
    if (first === undefined) throw new Error('There is no event.');
    return [first, ...others];
  }

  /** Has the service deliver one event of a new webhook, and returns what it sent. */
  async captured(): Promise<Sent> {
    const [accepted] = await this.accepts(await this.webhook());
    return accepted;
  }

  async post(sent: Post): Promise<number> {
    const { status } = await post(this.program.port, { ...sent, path: this.route });
    return status;
  }

  /** Throws unless the receiver answers 401 and tells of a refusal, and of nothing else. */
  async refuses(sent: Post): Promise<void> {
    const before = this.program.told.length;
    expect(await this.post(sent)).toBe(401);
    await this.program.tells(({ length }) => length > before, 'refused');
    expect(this.program.told.slice(before)).toEqual(['refused']);
  }
}

/** What a receiver tells when it works on an event. */
export const acceptedLine = (webhook: CustomerWebhook, { id, type }: SampleEvent): string =>
  `accepted ${webhook.id}/deliveries/${id} ${type}`;

/** What the service sent for an event. */
export const sentTo = (webhook: CustomerWebhook, event: SampleEvent): Sent => {
  const request = webhook.deliveries.all.find(carries(event));
  if (request === undefined) throw new Error('The front did not pass it on.');
  const { body, path, rawHeaders } = request;
  return { webhook, event, sent: { body, path, headers: rawHeaders } };
};
