import {
  Alert,
  Box,
  Button,
  CopyToClipboard,
  Modal,
  SpaceBetween,
} from '@cloudscape-design/components';
import type { ReactNode } from 'react';

interface SecretProps {
  /** What the secret is, such as "Signing secret". */
  readonly name: string;
  readonly secret: string;
  /** What to do with the secret, and what to do if it gets lost. */
  readonly children: ReactNode;
}

/** A secret that no later response of the service contains. */
export const SecretOnce = ({ name, secret, children }: SecretProps) => (
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

export const SecretDialog = ({
  title,
  confirm,
  onClose,
  ...secret
}: SecretProps & { title: string; confirm: string; onClose: () => void }) => (
  <Modal
    visible
    size="large"
    header={title}
    onDismiss={onClose}
    footer={
      <Box float="right">
        <Button variant="primary" onClick={onClose}>
          {confirm}
        </Button>
      </Box>
    }
  >
    <SecretOnce {...secret} />
  </Modal>
);
