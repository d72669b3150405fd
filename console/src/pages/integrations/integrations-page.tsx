import { useQuery } from '@tanstack/react-query';
import { listIntegrations } from '../../api/integration-calls.ts';
import { QUERIES } from '../../api/query-keys.ts';
import { useAccountName } from '../../api/use-account.ts';
import { useApi } from '../../console-context.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { crumbsTo, PLACES } from '../../shell/places.ts';
import { AddWebhookButton } from './add-webhook-button.tsx';
import { WebhookTable } from './webhook-table.tsx';

/** Six calls a minute of the 1,200 that a token may make. */
const READ_EVERY_MS = 10_000;

export const IntegrationsPage = () => {
  const account = useAccountName();
  return (
    <Page
      title="Webhooks"
      tabTitle="Integrations"
      description={`Endpoints that receive the events of ${account} as signed HTTPS requests.`}
      crumbs={crumbsTo.insideSettings(account)}
      actions={<AddWebhookButton account={account} isPrimary />}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.integrations}>
        <Webhooks account={account} />
      </OrganisationOnly>
    </Page>
  );
};

const Webhooks = ({ account }: { account: string }) => {
  const api = useApi();
  const query = useQuery({
    queryKey: QUERIES.integrations(account),
    queryFn: ({ signal }) => listIntegrations(api, account, signal),
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <Loaded query={query} what="The webhooks">
      {(integrations) => <WebhookTable account={account} integrations={integrations} />}
    </Loaded>
  );
};
