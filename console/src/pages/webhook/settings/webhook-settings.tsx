import SpaceBetween from '@cloudscape-design/components/space-between';
import { EndpointSettings } from './endpoint-settings.tsx';
import { PauseOrEnd } from './pause-or-end.tsx';
import { SecretSettings } from './secret-settings.tsx';
import type { WebhookSettingsProps } from './use-change.ts';

/** The settings of a webhook. Admins can change them, members can read them. */
export const WebhookSettings = (props: WebhookSettingsProps) => (
  <SpaceBetween size="l">
    <EndpointSettings {...props} />
    <SecretSettings {...props} />
    <PauseOrEnd {...props} />
  </SpaceBetween>
);
