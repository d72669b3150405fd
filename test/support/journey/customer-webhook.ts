import type {
  DeliveryDetailsDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { DeliveriesTo } from '../receiver/received-deliveries.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';
import { newCustomer } from './customer.ts';
import type { Customer } from './customer-of.ts';
import { eventually } from './platform.ts';
import type { ApiReply } from './platform-of.ts';
import { HOUR_SECONDS } from './service-under-test.ts';

/** The hour of the journeys has seconds: who sees late that it begins has less of it. */
const WITHIN_THE_HOUR = { betweenReadsMs: 100 };

/** An hourly retry makes up to three attempts, one after the other. */
const BETWEEN_ATTEMPTS_MS = 300;

interface DeliveryPageDocument {
  readonly totalItems?: number;
  readonly member: readonly DeliveryDocument[];
  readonly view: { readonly id: string; readonly next?: string };
}

/** The one webhook of a customer of its own, as that customer sees it through the API. */
export class CustomerWebhook {
  readonly customer: Customer;
  /** Its path. */
  readonly id: string;
  readonly bareId: string;
  readonly secret: string;
  /** What its endpoint was sent. */
  readonly deliveries: DeliveriesTo;

  private constructor(
    customer: Customer,
    registered: Pick<CustomerWebhook, 'id' | 'bareId' | 'secret'>,
    { deliveries }: Pick<CustomerWebhook, 'deliveries'>,
  ) {
    this.customer = customer;
    this.id = registered.id;
    this.bareId = registered.bareId;
    this.secret = registered.secret;
    this.deliveries = deliveries;
  }

  /** At a path of the receiver, which does to its requests as told. */
  static async at(
    receiver: MisbehavingReceiver,
    path: string,
    {
      behaves,
      ...registration
    }: { behaves?: readonly Behaviour[] } & Parameters<Customer['register']>[1] = {},
  ): Promise<CustomerWebhook> {
    if (behaves !== undefined) receiver.behave(path, ...behaves);
    const customer = await newCustomer();
    const deliveries = new DeliveriesTo(receiver, path);
    const registered = await customer.register(receiver.url(path), registration);
    return new CustomerWebhook(customer, registered, { deliveries });
  }

  async read(): Promise<IntegrationResource> {
    return documentOf<IntegrationResource>(await this.customer.call('GET', this.id));
  }

  /** Reads it until it has the status. */
  becomes(status: IntegrationResource['status']): Promise<IntegrationResource> {
    return eventually(
      () => this.read(),
      (read) => read.status === status,
    );
  }

  /** Reads it, failed, until the attempt of its hour is over and the next one far. */
  longBeforeTheHour(): Promise<IntegrationResource> {
    return eventually(() => this.read(), isLongBeforeTheHour, WITHIN_THE_HOUR);
  }

  /** A call of what is under its path: `/test`, `/recover`. */
  post(action: string, body?: unknown): Promise<ApiReply> {
    return this.customer.call('POST', this.id + action, { ...(body !== undefined && { body }) });
  }

  async delivery(event: { id: string }): Promise<DeliveryDetailsDocument> {
    const path = `${this.id}/deliveries/${event.id}`;
    return documentOf<DeliveryDetailsDocument>(await this.customer.call('GET', path));
  }

  /**
   * Reads the delivery of an event, once it is in the log, until it satisfies: its own, or that of
   * another webhook of the customer.
   */
  async deliveryThat(
    event: { id: string },
    satisfies: (delivery: DeliveryDetailsDocument) => boolean,
    { of: id = this.id }: { of?: string } = {},
  ): Promise<DeliveryDetailsDocument> {
    const path = `${id}/deliveries/${event.id}`;
    const isSo = ({ status, document }: ApiReply) => {
      const delivery = document as DeliveryDetailsDocument;
      return status === 200 && isWhole(delivery) && satisfies(delivery);
    };
    const reply = await eventually(() => this.customer.call('GET', path), isSo);
    return documentOf<DeliveryDetailsDocument>(reply);
  }

  /** One page of its deliveries or of its pending events, by path and query. */
  async page(path: string): Promise<DeliveryPageDocument> {
    return documentOf<DeliveryPageDocument>(await this.customer.call('GET', path));
  }

  /** All pages from the first on, as `view.next` leads. */
  async pages(first: string): Promise<DeliveryPageDocument[]> {
    const pages: DeliveryPageDocument[] = [];
    let path: string | undefined = first;
    while (path !== undefined) {
      const page: DeliveryPageDocument = await this.page(path);
      pages.push(page);
      path = page.view.next;
    }
    return pages;
  }

  /** Ids of the events that a query of its log lists, in that order. */
  async listed(query = ''): Promise<string[]> {
    const pages = await this.pages(`${this.id}/deliveries${query}`);
    return pages.flatMap(({ member }) => member.map(eventOfDelivery));
  }

  async pending(): Promise<string[]> {
    const pages = await this.pages(`${this.id}/pending-events`);
    return pages.flatMap(({ member }) => member.map(eventOfDelivery));
  }
}

/** The next attempt is put off as one begins, and may come up to half an hour before it is due. */
const isLongBeforeTheHour = ({ failure }: Pick<IntegrationResource, 'failure'>): boolean => {
  if (failure === undefined) return false;
  const [since, last, next] = [failure.since, failure.lastAttemptAt, failure.nextAttemptAt].map(
    (instant) => Date.parse(instant),
  ) as [number, number, number];
  const hourMs = HOUR_SECONDS * 1_000;
  const latest = Math.max(since, last);
  const isOver = next - latest <= hourMs && Date.now() - latest > BETWEEN_ATTEMPTS_MS;
  return isOver && next - Date.now() > 0.8 * hourMs;
};

/** Whether the attempt of the hour that it was read in cannot have begun yet. */
export const isBeforeTheHour = ({ failure }: Pick<IntegrationResource, 'failure'>): boolean =>
  failure !== undefined &&
  Date.now() < Date.parse(failure.nextAttemptAt) - (HOUR_SECONDS * 1_000) / 2;

/** An attempt and the line of its delivery are written side by side: one may be there first. */
const isWhole = ({ attempts, latestAttempt }: DeliveryDetailsDocument): boolean =>
  attempts.at(-1)?.startedAt === latestAttempt?.startedAt;

export const eventOfDelivery = ({ id }: { id: string }): string => id.split('/').at(-1) ?? '';

const documentOf = <Document>({ status, document }: ApiReply): Document => {
  if (status !== 200) throw new Error(`Not answered: ${JSON.stringify(document)}`);
  return document as Document;
};
