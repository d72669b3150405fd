import SpaceBetween from '@cloudscape-design/components/space-between';
import { EndpointSettings } from './endpoint-settings.tsx';
import { PauseOrEnd } from './pause-or-end.tsx';
import { SecretSettings } from './secret-settings.tsx';

/** The settings of a webhook. Admins can change them, members can read them. */
export const WebhookSettings = () => (
  <SpaceBetween size="l">
    <EndpointSettings />
    <SecretSettings />
    <PauseOrEnd />
  </SpaceBetween>
);
