import { inject } from 'vitest';
import type {
  DeliveryDetailsDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { DeliveriesTo } from '../receiver/received-deliveries.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';
import { type Customer, newCustomerOf } from './customer-of.ts';
import { eventually, observers } from './platform.ts';
import type { ApiReply } from './platform-of.ts';
import { outputs } from './service-state.ts';

interface DeliveryPageDocument {
  readonly totalItems?: number;
  readonly member: readonly DeliveryDocument[];
  readonly view: { readonly id: string; readonly next?: string };
}

/** The only webhook of a new customer, as that customer sees it through the API. */
export class CustomerWebhook {
  readonly customer: Customer;
  /** The path of the integration. */
  readonly id: string;
  readonly bareId: string;
  readonly secret: string;
  /** The deliveries that the endpoint received. */
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

  /** Registers a webhook at a path of the receiver, with the behaviours of that path. */
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

  /** Reads the integration until it has the status. */
  becomes(status: IntegrationResource['status']): Promise<IntegrationResource> {
    return eventually(
      () => this.read(),
      (read) => read.status === status,
    );
  }

  /** Calls an action below the path of the integration, such as `/test`. */
  post(action: string, body?: unknown): Promise<ApiReply> {
    return this.customer.call('POST', this.id + action, { ...(body !== undefined && { body }) });
  }

  async delivery(event: { id: string }): Promise<DeliveryDetailsDocument> {
    const path = `${this.id}/deliveries/${event.id}`;
    return documentOf<DeliveryDetailsDocument>(await this.customer.call('GET', path));
  }

  /**
   * Reads the delivery of an event until it is in the log and satisfies the condition. `of` names
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

  /** One page of the deliveries or pending events, by path and query. */
  async page(path: string): Promise<DeliveryPageDocument> {
    return documentOf<DeliveryPageDocument>(await this.customer.call('GET', path));
  }

  /** All pages from the first one, by following `view.next`. */
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

  /** Ids of the events that a query of the delivery log lists, in order. */
  async listed(query = ''): Promise<string[]> {
    const pages = await this.pages(`${this.id}/deliveries${query}`);
    return pages.flatMap(({ member }) => member.map(eventOfDelivery));
  }

  /** By a search of the account. */
  async found(query: string): Promise<string[]> {
    const pages = await this.pages(`/${this.customer.account}/deliveries?${query}`);
    return pages.flatMap(({ member }) => member.map(eventOfDelivery));
  }

  async pending(): Promise<string[]> {
    const pages = await this.pages(`${this.id}/pending-events`);
    return pages.flatMap(({ member }) => member.map(eventOfDelivery));
  }
}

/** An attempt and its delivery are written in parallel: either may be readable first. */
const isWhole = ({ attempts, latestAttempt }: DeliveryDetailsDocument): boolean =>
  attempts.at(-1)?.startedAt === latestAttempt?.startedAt;

export const eventOfDelivery = ({ id }: { id: string }): string => id.split('/').at(-1) ?? '';

const documentOf = <Document>({ status, document }: ApiReply): Document => {
  if (status !== 200) throw new Error(`Not answered: ${JSON.stringify(document)}`);
  return document as Document;
};

/** A new customer, whose webhooks get no events of other tests. */
export const newCustomer = async (): Promise<Customer> =>
  newCustomerOf(inject('service'), (await outputs).DirectoryTableName ?? '', observers);
