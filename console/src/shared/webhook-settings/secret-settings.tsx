import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { AdminButton } from '../admin-button.tsx';
import { Instant } from '../instant.tsx';
import { remainingInWords } from '../remaining-words.ts';
import { useNow } from '../use-now.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

/** The webhook's secret, which no read shows, and the rotation of it. */
export const SecretSettings = (props: WebhookSettingsProps) => {
  const [isRotating, setRotating] = useState(false);
  const { previousSecretExpiresAt } = props.integration;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Every request is signed with it. It was shown when it was set, and is not shown again."
          actions={<AdminButton onClick={() => setRotating(true)}>Rotate secret</AdminButton>}
        >
          Signing secret
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Box variant="code">••••••••••••••••</Box>
        {previousSecretExpiresAt !== undefined && <Overlap until={previousSecretExpiresAt} />}
      </SpaceBetween>
      {isRotating && <RotateDialog {...props} onClose={() => setRotating(false)} />}
    </Container>
  );
};

/** Counts down to the end of a rotation's overlap. */
const Overlap = ({ until }: { until: string }) => {
  const remaining = remainingInWords(until, useNow());
  if (remaining === undefined) return null;
  return (
    <Alert type="info" header={`The previous secret still signs for ${remaining}`}>
      Until <Instant at={until} /> the header webhook-signature has a signature by each secret.
      X-Service-Signature is by the new secret alone.
    </Alert>
  );
};
