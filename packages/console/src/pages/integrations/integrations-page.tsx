import { useCollection } from '@cloudscape-design/collection-hooks';
import { Container, FormField, Link, Pagination, TextFilter } from '@cloudscape-design/components';
import { useNavigate } from '@tanstack/react-router';
import { nameIn } from '../../api/paths.ts';
import { useAccountName, useIntegrations } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Breakable } from '../../shared/breakable.tsx';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { StatusSign } from '../../shared/status-sign.tsx';
import { byUrgency, failureInWords, subscriptionInWords } from '../../shared/status-words.ts';
import { addressInWords } from '../../shared/webhook-name.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { LastDay, LastFailure, Waiting } from './webhook-numbers.tsx';

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

const Webhooks = () => (
  <Loaded query={useIntegrations()} what="The webhooks">
    {(integrations) => <WebhookTable integrations={integrations} />}
  </Loaded>
);

/** Each row needs a call for its numbers, so a page has few rows. */
const ROWS = 10;
/** A list with fewer rows has no search field. */
const WORTH_FILTERING = 5;

const WebhookTable = ({ integrations }: { integrations: readonly Integration[] }) => {
  const account = useAccountName();
  const { items, filterProps, filteredItemsCount, paginationProps } = useCollection(
    integrations.toSorted(
      (a, b) => byUrgency(a.status, b.status) || b.createdAt.localeCompare(a.createdAt),
    ),
    {
      filtering: {
        filteringFunction: ({ id, description = '', config }, text) =>
          `${description} ${config.baseUrl}`.toLowerCase().includes(text.toLowerCase()) ||
          id.includes(text),
      },
      pagination: { pageSize: ROWS },
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
  return (
    <DataTable
      label="Webhooks"
      items={items}
      columns={columnsOf(account)}
      filter={
        integrations.length >= WORTH_FILTERING && (
          <FormField label="URL, description or id">
            <TextFilter
              {...filterProps}
              filteringClearAriaLabel="Clear"
              countText={filteredItemsCount === 1 ? '1 webhook' : `${filteredItemsCount} webhooks`}
            />
          </FormField>
        )
      }
      pagination={integrations.length > ROWS && <Pagination {...paginationProps} />}
      empty={
        <Empty title="No webhook has this in its URL, description or id">
          Look for another part, or clear the field.
        </Empty>
      }
    />
  );
};

const columnsOf = (account: string): Columns<Integration> => [
  {
    id: 'endpoint',
    header: 'Endpoint',
    minWidth: 210,
    cell: ({ id, description, config }) => {
      const address = <Breakable>{addressInWords(config.baseUrl)}</Breakable>;
      return (
        <>
          <Link href={PLACES.webhook(account, nameIn(id))}>{description ?? address}</Link>
          {description !== undefined && <div className="detail">{address}</div>}
        </>
      );
    },
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 110,
    cell: ({ status, failure }) => (
      <>
        <StatusSign status={status} />
        {failure && <div className="detail">{failureInWords(failure)}</div>}
      </>
    ),
  },
  {
    id: 'events',
    header: 'Events',
    minWidth: 190,
    cell: ({ settings }) => subscriptionInWords(settings.actions),
  },
  {
    id: 'last-day',
    header: 'Last 24 hours',
    minWidth: 170,
    cell: ({ id }) => <LastDay id={nameIn(id)} />,
  },
  {
    id: 'waiting',
    header: 'Waiting',
    minWidth: 90,
    cell: ({ id }) => <Waiting id={nameIn(id)} />,
  },
  {
    id: 'last-failure',
    header: 'Last failed',
    minWidth: 130,
    cell: (integration) => <LastFailure integration={integration} />,
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
