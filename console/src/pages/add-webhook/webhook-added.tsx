import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useNavigate } from '@tanstack/react-router';
import { nameIn } from '../../api/paths.ts';
import type { Integration } from '../../api/resources.ts';
import { SecretOnce } from '../../shared/secret-once.tsx';
import { VerificationSamples } from '../../shared/verification-sample.tsx';

/** After a webhook was added: its secret, once, and what the receiver does with it. */
export const WebhookAdded = ({
  account,
  integration: { id, config, warnings = [] },
}: {
  account: string;
  integration: Integration;
}) => (
  <SpaceBetween size="l">
    {warnings.length > 0 && (
      <Alert type="warning" header="Look at the address again">
        {config.baseUrl}: {warnings.map(({ detail }) => detail).join('; ')}.
      </Alert>
    )}
    <Container header={<Header variant="h2">The signing secret</Header>}>
      <SecretOnce name="Signing secret" secret={config.webhookSecret}>
        Put it where your receiver reads its secrets. If it gets lost, rotate it in the webhook’s
        settings.
      </SecretOnce>
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
    <Box float="right">
      <ToWebhook account={account} id={nameIn(id)} />
    </Box>
  </SpaceBetween>
);

const ToWebhook = ({ account, id }: { account: string; id: string }) => {
  const navigate = useNavigate();
  const open = () =>
    navigate({ to: '/accounts/$account/settings/integrations/$id', params: { account, id } });
  return (
    <Button variant="primary" onClick={() => void open()}>
      I have stored the secret
    </Button>
  );
};
