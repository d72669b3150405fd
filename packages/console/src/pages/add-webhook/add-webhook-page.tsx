import { Alert, Box, Button, Container, Header, SpaceBetween } from '@cloudscape-design/components';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { warningsInWords } from '../../api/field-errors.ts';
import { nameIn } from '../../api/paths.ts';
import { useAccountName } from '../../api/reads.ts';
import { type Integration, SETTING_LABELS } from '../../api/resources.ts';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { SecretOnce } from '../../shared/secret-once.tsx';
import { VerificationSamples } from '../../shared/verification-samples.tsx';
import { webhookName } from '../../shared/webhook-name.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { AddWebhookForm } from './add-webhook-form.tsx';

export const AddWebhookPage = () => {
  const account = useAccountName();
  const [added, setAdded] = useState<Integration>();
  return (
    <Page
      title={added === undefined ? 'Add Webhook' : 'Your webhook is ready'}
      tabTitle="Add Webhook"
      description={
        added === undefined
          ? `Its endpoint receives the events of ${account} as signed requests.`
          : webhookName(added)
      }
      contentType="form"
      maxWidth={840}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.integrations}>
        {added === undefined ? (
          <AddWebhookForm onAdded={setAdded} />
        ) : (
          <WebhookAdded integration={added} />
        )}
      </OrganisationOnly>
    </Page>
  );
};

const WebhookAdded = ({ integration }: { integration: Integration }) => {
  const { id, config, warnings = [] } = integration;
  const account = useAccountName();
  const navigate = useNavigate();
  return (
    <SpaceBetween size="l">
      {warnings.length > 0 && (
        <Alert type="warning" header="Check the settings">
          {warningsInWords(warnings, SETTING_LABELS).map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      <Container header={<Header variant="h2">The signing secret</Header>}>
        <SecretOnce name="Signing secret" secret={config.webhookSecret}>
          Put it where your receiver reads its secrets. If it gets lost, rotate it in the webhook’s
          settings.
        </SecretOnce>
        <Box padding={{ top: 'm' }}>
          <Button
            variant="primary"
            onClick={() => void navigate({ href: PLACES.webhook(account, nameIn(id)) })}
          >
            I have stored the secret
          </Button>
        </Box>
      </Container>
      <Container
        header={
          <Header
            variant="h2"
            description="Every request has the header X-Service-Signature: HMAC-SHA256 of the raw body, in hexadecimal."
          >
            Verify what you receive
          </Header>
        }
      >
        <VerificationSamples />
      </Container>
    </SpaceBetween>
  );
};
