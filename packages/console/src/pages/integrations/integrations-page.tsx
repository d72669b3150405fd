import { useCollection } from '@cloudscape-design/collection-hooks';
import { Container, Link, Pagination, SpaceBetween } from '@cloudscape-design/components';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import { useAccountName, useIntegrations } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Breakable } from '../../shared/breakable.tsx';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { readSearchedId } from '../../shared/searched-id.ts';
import { StatusSign } from '../../shared/status-sign.tsx';
import { failureInWords, subscriptionInWords } from '../../shared/status-words.ts';
import { addressInWords } from '../../shared/webhook-name.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { FoundDeliveries } from './found-deliveries.tsx';
import { ListFilters } from './list-filters.tsx';
import { FIRST_VIEW, inView } from './list-view.ts';
import { Numbers } from './webhook-numbers.tsx';

export const IntegrationsPage = () => {
  const account = useAccountName();
  return (
    <Page
      title="Webhooks"
      tabTitle="Integrations"
      description={`Endpoints that receive the events of ${account} as signed HTTPS requests.`}
      actions={<AddWebhookButton variant="primary" />}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.integrations}>
        <Webhooks />
      </OrganisationOnly>
    </Page>
  );
};

const Webhooks = () => {
  const { about } = readSearchedId(useSearch({ strict: false }));
  const [view, setView] = useState(FIRST_VIEW);
  const navigate = useNavigate();
  const onSearch = (id: string | undefined) =>
    void navigate({ to: '.', search: { about: id } as never });
  return (
    <Loaded query={useIntegrations()} what="The webhooks">
      {(integrations) =>
        integrations.length === 0 ? (
          <NoWebhooks />
        ) : (
          <SpaceBetween size="m">
            <ListFilters {...{ integrations, view, about, onSearch }} onView={setView} />
            {about === undefined ? (
              // Other filters begin at the first page.
              <WebhookTable
                key={JSON.stringify(view)}
                integrations={inView(integrations, view)}
                size={Number(view.size)}
              />
            ) : (
              <FoundDeliveries about={about} integrations={integrations} />
            )}
          </SpaceBetween>
        )
      }
    </Loaded>
  );
};

const NoWebhooks = () => (
  <Container>
    <Empty title="No webhooks yet" action={<AddWebhookButton variant="normal" />}>
      Add one, and its endpoint receives message.delivered and message.received as they happen.
    </Empty>
  </Container>
);

interface WebhookTableProps {
  readonly integrations: readonly Integration[];
  /** Rows of a page. */
  readonly size: number;
}

const WebhookTable = ({ integrations, size }: WebhookTableProps) => {
  const { items, paginationProps } = useCollection(integrations, {
    pagination: { pageSize: size },
  });
  return (
    <>
      <DataTable
        label="Webhooks"
        items={items}
        columns={COLUMNS}
        card={CARD}
        empty={
          <Empty title="No webhook matches">
            Look for another part, or choose another status. Enter looks for deliveries.
          </Empty>
        }
      />
      {(paginationProps.pagesCount ?? 0) > 1 && (
        <div className="more">
          <Pagination {...paginationProps} />
        </div>
      )}
    </>
  );
};

interface Shown {
  readonly integration: Integration;
}

const Endpoint = ({ integration: { id, description, config } }: Shown) => {
  const account = useAccountName();
  const address = <Breakable>{addressInWords(config.baseUrl)}</Breakable>;
  return (
    <>
      <Link href={PLACES.webhook(account, nameIn(id))}>{description ?? address}</Link>
      {description !== undefined && <div className="detail">{address}</div>}
    </>
  );
};

const Cause = ({ integration: { failure } }: Shown) =>
  failure && <div className="detail">{failureInWords(failure)}</div>;

const Events = ({ integration: { settings } }: Shown) => subscriptionInWords(settings);

const CARD = {
  header: (integration: Integration) => (
    <div className="card-head">
      <div>
        <Endpoint integration={integration} />
      </div>
      <StatusSign status={integration.status} />
    </div>
  ),
  content: (integration: Integration) => (
    <div className="card-lines">
      <Cause integration={integration} />
      <Events integration={integration} />
      <Numbers integration={integration} />
    </div>
  ),
};

const COLUMNS: Columns<Integration> = [
  {
    id: 'endpoint',
    header: 'Endpoint',
    minWidth: 280,
    cell: (integration) => <Endpoint integration={integration} />,
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 130,
    cell: (integration) => (
      <>
        <StatusSign status={integration.status} />
        <Cause integration={integration} />
      </>
    ),
  },
  {
    id: 'events',
    header: 'Events',
    minWidth: 170,
    cell: (integration) => <Events integration={integration} />,
  },
  {
    id: 'last-day',
    header: 'Last 24 hours',
    minWidth: 200,
    cell: (integration) => <Numbers integration={integration} />,
  },
];

const AddWebhookButton = ({ variant }: { variant: 'primary' | 'normal' }) => {
  const navigate = useNavigate();
  const href = PLACES.addWebhook(useAccountName());
  return (
    <AdminButton variant={variant} onClick={() => void navigate({ href })}>
      Add Webhook
    </AdminButton>
  );
};
