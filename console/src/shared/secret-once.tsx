import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

/** A secret that no later answer of the service shows. */
export const SecretOnce = ({
  name,
  secret,
  children,
}: {
  /** What the secret is, such as "Signing secret". */
  name: string;
  secret: string;
  /** What to do with the secret, and what if it gets lost. */
  children: ReactNode;
}) => (
  <SpaceBetween size="m">
    <Alert type="warning" header="Copy it now: this is the only time it is shown">
      {children}
    </Alert>
    <div>
      <Box variant="awsui-key-label">{name}</Box>
      <div className="secret">
        <code>{secret}</code>
        <CopyToClipboard
          variant="button"
          copyButtonText="Copy"
          copyButtonAriaLabel={`Copy: ${name}`}
          copySuccessText="Copied"
          copyErrorText="Your browser did not copy"
          textToCopy={secret}
        />
      </div>
    </div>
  </SpaceBetween>
);
