import Button from '@cloudscape-design/components/button';
import { type ReactNode, useMemo } from 'react';
import { Empty } from '../../shared/empty.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { useNewIds } from './use-new-ids.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { useLiveDeliveries } from './webhook-queries.ts';
import { isFiltered, NO_FILTERS } from './webhook-search.ts';

/** The delivery log, live. */
export const DeliveriesTab = ({ id, testButton }: { id: string; testButton: ReactNode }) => {
  const [search, change] = useWebhookSearch();
  const { query, loadMore, isLoadingMore } = useLiveDeliveries(id, search);
  const rows = query.data?.rows;
  const ids = useMemo(() => rows?.map((row) => row.id), [rows]);
  const { outcome, type, within, since, until } = search;
  const newIds = useNewIds([id, outcome, type, within, since, until].join(' '), ids);
  return (
    <section className="tab" aria-label="Deliveries">
      <DeliveryFilters search={search} onChange={change} />
      <Loaded query={query} what="The deliveries">
        {({ rows: deliveries, next }) => (
          <>
            <p className="live quiet">
              <span
                className={query.isError ? 'live-dot is-still' : 'live-dot'}
                aria-hidden="true"
              />
              {query.isError ? 'Not live: reading fails. ' : 'Live, newest first. '}
              Kept for 30 days.
            </p>
            <div className="visually-hidden" role="status">
              {newIds.size > 0 && newDeliveries(newIds.size)}
            </div>
            {deliveries.length > 0 ? (
              <DeliveryList
                label="Deliveries"
                deliveries={deliveries}
                search={search}
                newIds={newIds}
              />
            ) : isFiltered(search) ? (
              <Empty
                title={
                  next === undefined ? 'Nothing matches the filters' : 'Nothing matches so far'
                }
                action={<Button onClick={() => change(NO_FILTERS)}>Clear filters</Button>}
              >
                Choose another outcome, event type or time.
              </Empty>
            ) : (
              <Empty title="No deliveries yet" action={testButton}>
                Events appear here by themselves as they happen. Send a test to see your endpoint
                answer now.
              </Empty>
            )}
            {next !== undefined && (
              <div className="more">
                <Button loading={isLoadingMore} onClick={() => void loadMore()}>
                  {deliveries.length > 0 ? 'Load more' : 'Search further back'}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};

const newDeliveries = (count: number): string =>
  count === 1 ? '1 new delivery' : `${count} new deliveries`;
