import { useState } from 'react';
import { useAccountName } from '../../api/reads.ts';
import type { Integration } from '../../api/resources.ts';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { AddWebhookForm } from './add-webhook-form.tsx';
import { WebhookAdded } from './webhook-added.tsx';

export const AddWebhookPage = () => {
  const account = useAccountName();
  const [added, setAdded] = useState<Integration>();
  return (
    <Page
      title={added === undefined ? 'Add Webhook' : 'Your webhook is ready'}
      tabTitle="Add Webhook"
      description={
        added === undefined
          ? `Its endpoint receives the events of ${account} as they happen, signed.`
          : added.config.baseUrl
      }
      contentType="form"
      maxWidth={840}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.integrations}>
        {added === undefined ? (
          <AddWebhookForm account={account} onAdded={setAdded} />
        ) : (
          <WebhookAdded account={account} integration={added} />
        )}
      </OrganisationOnly>
    </Page>
  );
};
