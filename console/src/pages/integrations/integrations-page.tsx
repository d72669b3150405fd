import { useAccountName, useIntegrations } from '../../api/reads.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { AddWebhookButton, WebhookTable } from './webhook-table.tsx';

export const IntegrationsPage = () => {
  const account = useAccountName();
  return (
    <Page
      title="Webhooks"
      tabTitle="Integrations"
      description={`Endpoints that receive the events of ${account} as signed HTTPS requests.`}
      actions={<AddWebhookButton account={account} variant="primary" />}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.integrations}>
        <Webhooks account={account} />
      </OrganisationOnly>
    </Page>
  );
};

const Webhooks = ({ account }: { account: string }) => (
  <Loaded query={useIntegrations(account)} what="The webhooks">
    {(integrations) => <WebhookTable account={account} integrations={integrations} />}
  </Loaded>
);
