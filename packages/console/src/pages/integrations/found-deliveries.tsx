import { Button, Link } from '@cloudscape-design/components';
import { nameIn } from '../../api/paths.ts';
import { useAccountName, useFoundDeliveries } from '../../api/reads.ts';
import type { Delivery, Integration } from '../../api/resources.ts';
import { Breakable } from '../../shared/breakable.tsx';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { WhatIsFound } from '../../shared/id-search.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { MissingDeliveryCauses } from '../../shared/missing-delivery-causes.tsx';
import { deliveryInWords } from '../../shared/outcome.ts';
import { OutcomeSign } from '../../shared/outcome-sign.tsx';
import { webhookName } from '../../shared/webhook-name.ts';
import { PLACES } from '../../shell/places.ts';

interface FoundProps {
  readonly about: string;
  readonly integrations: readonly Integration[];
}

/** What became of an event, message, contact or call at each webhook. */
export const FoundDeliveries = ({ about, integrations }: FoundProps) => {
  const query = useFoundDeliveries(about);
  const empty = (
    <Empty
      title={query.hasNextPage ? 'Nothing found so far' : `Nothing found for ${about}`}
      action={
        <Button loading={query.isFetching} onClick={() => void query.refetch()}>
          Search again
        </Button>
      }
    >
      <WhatIsFound />
      {!query.hasNextPage && <MissingDeliveryCauses integrations={integrations} />}
    </Empty>
  );
  return (
    <Loaded query={query} what="The deliveries">
      {(deliveries) => (
        <section aria-label="Found deliveries">
          <DataTable
            label={`Deliveries about ${about}`}
            items={deliveries}
            columns={columnsOf(integrations)}
            card={{
              header: (delivery) => <Webhook {...{ delivery, integrations }} />,
              content: (delivery) => (
                <div className="card-lines">
                  <OutcomeSign outcome={deliveryInWords(delivery)} />
                  <Event delivery={delivery} />
                  <Instant at={delivery.occurredAt} />
                </div>
              ),
            }}
            empty={empty}
          />
          {query.hasNextPage && (
            <div className="more">
              <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {deliveries.length > 0 ? 'Load more' : 'Search further back'}
              </Button>
            </div>
          )}
        </section>
      )}
    </Loaded>
  );
};

const Webhook = ({
  delivery,
  integrations,
}: { delivery: Delivery } & Pick<FoundProps, 'integrations'>) => {
  const { id, integration } = delivery;
  const place = PLACES.webhook(useAccountName(), nameIn(integration));
  const webhook = integrations.find((each) => each.id === integration);
  return (
    <Link href={`${place}?event=${encodeURIComponent(nameIn(id))}`}>
      <Breakable>{webhook === undefined ? nameIn(integration) : webhookName(webhook)}</Breakable>
    </Link>
  );
};

const Event = ({ delivery: { eventType, id } }: { delivery: Delivery }) => (
  <>
    <Breakable>{eventType}</Breakable>
    <div className="detail">
      <Breakable>{nameIn(id)}</Breakable>
    </div>
  </>
);

const columnsOf = (integrations: readonly Integration[]): Columns<Delivery> => [
  {
    id: 'webhook',
    header: 'Webhook',
    minWidth: 210,
    cell: (delivery) => <Webhook {...{ delivery, integrations }} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    minWidth: 330,
    cell: (delivery) => <OutcomeSign outcome={deliveryInWords(delivery)} />,
  },
  {
    id: 'event',
    header: 'Event',
    minWidth: 210,
    cell: (delivery) => <Event delivery={delivery} />,
  },
  {
    id: 'occurred',
    header: 'Occurred',
    minWidth: 140,
    cell: ({ occurredAt }) => <Instant at={occurredAt} />,
  },
];
