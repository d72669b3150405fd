import { inChunks } from '../../in-chunks.ts';
import {
  type Integration,
  type IntegrationKey,
  type IntegrationReader,
  type IntegrationStatus,
  statusOf,
} from '../../integration/integration.ts';
import type { EveryIntegration, IntegrationLists } from '../../integration/integration-store.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { type DeliveryLogReader, type LoggedDelivery, outcomeOf } from '../delivery-log-reader.ts';
import type { PendingCount, PendingDelivery, PendingView } from '../pending/pending-view.ts';

export interface ListedIntegration {
  readonly integration: Integration;
  readonly pending: PendingCount;
}

export interface ObservedIntegration extends ListedIntegration {
  /** Absent when nothing is pending. */
  readonly oldestPending?: PendingDelivery;
  /** The newest undelivered attempt among the latest events. */
  readonly undelivered?: LoggedDelivery;
}

/** `all` reads the integrations of all accounts, page by page. */
export type IntegrationSelection =
  | { readonly account: string }
  | { readonly all: { readonly limit: number; readonly after?: IntegrationKey | undefined } };

/** Counting costs up to eight reads for each integration, so a list counts less. */
const LISTED_PENDING = 100;
const OBSERVED_PENDING = 10_000;

/** Integrations counted in parallel, each by eight queries. */
const COUNTED_AT_ONCE = 8;

export interface ObservationPorts {
  integrations: Pick<IntegrationReader, 'find'> &
    Pick<IntegrationLists, 'listOf'> &
    EveryIntegration;
  pending: Pick<PendingView, 'count' | 'page'>;
  deliveryLogReader: Pick<DeliveryLogReader, 'newest'>;
}

export const buildListObserved =
  (ports: Pick<ObservationPorts, 'integrations' | 'pending'>) =>
  async (
    selection: IntegrationSelection,
    status: IntegrationStatus | undefined,
  ): Promise<{ listed: readonly ListedIntegration[]; next?: IntegrationKey }> => {
    const isWanted = (integration: Integration): boolean =>
      status === undefined || statusOf(integration) === status;
    if ('account' in selection) {
      const found = await ports.integrations.listOf(selection.account);
      const inOrder = found.filter(isWanted).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { listed: await counted(inOrder, ports) };
    }
    const { found, next } = await pageOfAll(ports.integrations, selection.all, isWanted);
    return { listed: await counted(found, ports), ...(next && { next }) };
  };

/** Reads until `limit` integrations are found that are wanted, or to the end. */
const pageOfAll = async (
  integrations: EveryIntegration,
  { limit, after: start }: { limit: number; after?: IntegrationKey | undefined },
  isWanted: (integration: Integration) => boolean,
): Promise<{ found: readonly Integration[]; next?: IntegrationKey }> => {
  const found: Integration[] = [];
  let after = start;
  do {
    const page = await integrations.pageOfAll(after);
    found.push(...page.integrations.filter(isWanted));
    after = page.next;
  } while (after !== undefined && found.length < limit);
  const last = found.length > limit ? found[limit - 1] : undefined;
  const next = last ?? after;
  return { found: found.slice(0, limit), ...(next && { next }) };
};

const counted = async (
  integrations: readonly Integration[],
  { pending }: Pick<ObservationPorts, 'pending'>,
): Promise<readonly ListedIntegration[]> => {
  const listed: ListedIntegration[] = [];
  for (const some of inChunks(integrations, COUNTED_AT_ONCE)) {
    const counting = some.map(async (integration) => ({
      integration,
      pending: await pending.count(
        { integration: integration.id, state: 'pending' },
        LISTED_PENDING,
      ),
    }));
    listed.push(...(await Promise.all(counting)));
  }
  return listed;
};

/** One integration, its pending events and its latest undelivered event. Throws `not-found`. */
export const buildObserveIntegration = (ports: ObservationPorts) => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }: IntegrationKey): Promise<ObservedIntegration> => {
    const integration = await getIntegration(account, id);
    const stored = { integration: id, state: 'pending' } as const;
    const [pending, oldest, newest] = await Promise.all([
      ports.pending.count(stored, OBSERVED_PENDING),
      ports.pending.page(stored, { limit: 1 }),
      ports.deliveryLogReader.newest(id, { filter: {}, limit: LATEST_DELIVERIES }),
    ]);
    const [oldestPending] = oldest.deliveries;
    const undelivered = newest.deliveries.find(
      (delivery) => !['delivered', undefined].includes(outcomeOf(delivery)),
    );
    return {
      integration,
      pending,
      ...(oldestPending && { oldestPending }),
      ...(undelivered && { undelivered }),
    };
  };
};

/** As many as a page of the API shows. */
const LATEST_DELIVERIES = 100;
