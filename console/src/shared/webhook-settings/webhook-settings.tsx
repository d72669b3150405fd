import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Integration } from '../../api/resources.ts';
import { ActivitySettings } from './activity-settings.tsx';
import { DeletionSettings } from './deletion-settings.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { SecretSettings } from './secret-settings.tsx';

export interface WebhookSettingsProps {
  readonly account: string;
  /** As the latest read shows it. */
  readonly integration: Integration;
  /** Of the same read. */
  readonly etag: string | undefined;
}

/** The settings of a webhook: what an admin changes, and a member reads. */
export const WebhookSettings = (props: WebhookSettingsProps) => (
  <SpaceBetween size="l">
    <EndpointSettings {...props} />
    <SecretSettings {...props} />
    <Container header={<Header variant="h2">Pause or end</Header>}>
      <SpaceBetween size="l">
        <ActivitySettings {...props} />
        <DeletionSettings {...props} />
      </SpaceBetween>
    </Container>
  </SpaceBetween>
);
