import { useCollection } from '@cloudscape-design/collection-hooks';
import {
  Container,
  FormField,
  Link,
  Pagination,
  Select,
  SpaceBetween,
  TextFilter,
} from '@cloudscape-design/components';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import { useAccountName, useIntegrations } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Breakable } from '../../shared/breakable.tsx';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { IdSearch } from '../../shared/id-search.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { readSearchedId } from '../../shared/searched-id.ts';
import { StatusSign } from '../../shared/status-sign.tsx';
import {
  byUrgency,
  failureInWords,
  statusInWords,
  subscriptionInWords,
} from '../../shared/status-words.ts';
import { addressInWords, webhookName } from '../../shared/webhook-name.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { FoundDeliveries } from './found-deliveries.tsx';
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
  const navigate = useNavigate();
  return (
    <Loaded query={useIntegrations()} what="The webhooks">
      {(integrations) => (
        <SpaceBetween size="l">
          {integrations.length > 0 && (
            <IdSearch
              about={about}
              onSearch={(id) => void navigate({ to: '.', search: { about: id } as never })}
            />
          )}
          {about === undefined ? (
            <WebhookTable integrations={integrations} />
          ) : (
            <FoundDeliveries about={about} integrations={integrations} />
          )}
        </SpaceBetween>
      )}
    </Loaded>
  );
};

/** Each row needs a call for its numbers, so a page has few rows unless the user wants more. */
const SIZES = ['10', '25', '50'].map((value) => ({ value, label: value }));
/** A list with fewer rows has no filters. */
const WORTH_FILTERING = 5;

type Compare = (a: Integration, b: Integration) => number;

const newestFirst: Compare = (a, b) => b.createdAt.localeCompare(a.createdAt);

const ORDERS: readonly { value: string; label: string; compare: Compare }[] = [
  {
    value: 'trouble',
    label: 'Trouble first',
    compare: (a, b) => byUrgency(a.status, b.status) || newestFirst(a, b),
  },
  { value: 'newest', label: 'Newest first', compare: newestFirst },
  {
    value: 'name',
    label: 'Name',
    compare: (a, b) => webhookName(a).localeCompare(webhookName(b)),
  },
];

const ALL = { value: '', label: 'All' };

/** The statuses that there are, with the number of webhooks. */
const statusesOf = (integrations: readonly Integration[]) =>
  [...Map.groupBy(integrations, ({ status }) => status)]
    .toSorted(([a], [b]) => byUrgency(a, b))
    .map(([status, all]) => ({
      value: status,
      label: `${statusInWords(status).word} (${all.length})`,
    }));

const WebhookTable = ({ integrations }: { integrations: readonly Integration[] }) => {
  const [order, setOrder] = useState(ORDERS[0]);
  const [status, setStatus] = useState('');
  const [size, setSize] = useState(SIZES[0]);
  const statuses = [ALL, ...statusesOf(integrations)];
  const chosen = statuses.find(({ value }) => value === status) ?? ALL;
  const { items, filterProps, filteredItemsCount, paginationProps } = useCollection(
    integrations
      .filter((integration) => chosen === ALL || integration.status === chosen.value)
      .toSorted(order?.compare),
    {
      filtering: {
        filteringFunction: ({ id, description = '', config }, text) =>
          `${description} ${config.baseUrl}`.toLowerCase().includes(text.toLowerCase()) ||
          id.includes(text),
      },
      pagination: { pageSize: Number(size?.value) },
    },
  );
  if (integrations.length === 0) {
    return (
      <Container>
        <Empty title="No webhooks yet" action={<AddWebhookButton variant="normal" />}>
          Add one, and its endpoint receives message.delivered and message.received as they happen.
        </Empty>
      </Container>
    );
  }
  const filters = (
    <div className="filters">
      <FormField label="URL, description or id">
        <TextFilter
          {...filterProps}
          filteringClearAriaLabel="Clear"
          countText={filteredItemsCount === 1 ? '1 webhook' : `${filteredItemsCount} webhooks`}
        />
      </FormField>
      <FormField label="Status">
        <Select
          options={statuses}
          selectedOption={chosen}
          onChange={({ detail }) => setStatus(detail.selectedOption.value ?? '')}
        />
      </FormField>
      <FormField label="Sort by">
        <Select
          options={ORDERS}
          selectedOption={order ?? null}
          onChange={({ detail }) =>
            setOrder(ORDERS.find(({ value }) => value === detail.selectedOption.value))
          }
        />
      </FormField>
      {integrations.length > Number(SIZES[0]?.value) && (
        <FormField label="Rows">
          <Select
            options={SIZES}
            selectedOption={size ?? null}
            onChange={({ detail }) =>
              setSize(SIZES.find(({ value }) => value === detail.selectedOption.value))
            }
          />
        </FormField>
      )}
    </div>
  );
  return (
    <DataTable
      label="Webhooks"
      items={items}
      columns={COLUMNS}
      card={{
        header: (integration) => (
          <div className="card-head">
            <div>
              <Endpoint integration={integration} />
            </div>
            <StatusSign status={integration.status} />
          </div>
        ),
        content: (integration) => (
          <div className="card-lines">
            <Cause integration={integration} />
            <Events integration={integration} />
            <Numbers integration={integration} />
          </div>
        ),
      }}
      filter={integrations.length >= WORTH_FILTERING && filters}
      pagination={(paginationProps.pagesCount ?? 0) > 1 && <Pagination {...paginationProps} />}
      empty={
        <Empty title="No webhook matches the filters">
          Look for another part, or choose another status.
        </Empty>
      }
    />
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

const COLUMNS: Columns<Integration> = [
  {
    id: 'endpoint',
    header: 'Endpoint',
    minWidth: 210,
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
