import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { rotateSecret, type SecretRotation } from '../../api/changes.ts';
import { formErrors, NO_ERRORS } from '../../api/field-errors.ts';
import { FormAlert } from '../form-alert.tsx';
import { SecretOnce } from '../secret-once.tsx';
import { useChange } from './use-change.ts';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

const HOUR_S = 3_600;

const OVERLAPS = [
  {
    value: `${24 * HOUR_S}`,
    label: '24 hours',
    description: 'Time to give receivers the new secret.',
  },
  { value: `${7 * 24 * HOUR_S}`, label: '7 days', description: 'The longest overlap there is.' },
  {
    value: '0',
    label: 'None',
    description: 'Somebody else knows the old secret: it signs nothing from now on.',
  },
];

type RotateDialogProps = WebhookSettingsProps & { readonly onClose: () => void };

/** Asks how to rotate, and then shows the new secret. */
export const RotateDialog = (props: RotateDialogProps) => {
  const [secret, setSecret] = useState<string>();
  if (secret === undefined) return <RotationForm {...props} onRotated={setSecret} />;
  return (
    <Modal
      visible
      size="large"
      header="The new signing secret"
      onDismiss={props.onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={props.onClose}>
            I have stored the secret
          </Button>
        </Box>
      }
    >
      <SecretOnce name="Signing secret" secret={secret}>
        Put it where your receiver reads its secrets. If it gets lost, rotate again.
      </SecretOnce>
    </Modal>
  );
};

const RotationForm = ({
  onClose,
  onRotated,
  ...props
}: RotateDialogProps & { onRotated: (secret: string) => void }) => {
  const [overlapSeconds, setOverlapSeconds] = useState(OVERLAPS[0]?.value ?? '0');
  const [ownSecret, setOwnSecret] = useState('');
  const rotating = useChange(
    props,
    (api, id, rotation: SecretRotation) => rotateSecret(api, id, { rotation, etag: props.etag }),
    ({ body }) => onRotated(body.config.webhookSecret),
  );
  const { fields, others } = rotating.error
    ? formErrors(rotating.error, ['/webhookSecret', '/overlapSeconds'])
    : NO_ERRORS;
  const rotate = () =>
    rotating.mutate({
      overlapSeconds: Number(overlapSeconds),
      ...(ownSecret.trim() !== '' && { webhookSecret: ownSecret.trim() }),
    });
  return (
    <Modal
      visible
      header="Rotate the signing secret"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" loading={rotating.isPending} onClick={rotate}>
              Rotate
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <FormAlert header="The secret was not rotated" errors={others} />
      <SpaceBetween size="l">
        <FormField
          label="How long the old secret signs, too"
          description="In the header webhook-signature. X-Service-Signature is by the new secret at once."
          errorText={fields['/overlapSeconds']}
        >
          <RadioGroup
            value={overlapSeconds}
            onChange={({ detail }) => setOverlapSeconds(detail.value)}
            items={OVERLAPS}
          />
        </FormField>
        <ExpandableSection
          headerText="A signing secret of your own"
          headerDescription="Without one the service makes one."
        >
          <FormField
            stretch
            label="New signing secret"
            description="16 to 128 printable ASCII characters."
            errorText={fields['/webhookSecret']}
          >
            <Input
              value={ownSecret}
              onChange={({ detail }) => setOwnSecret(detail.value)}
              type="password"
              autoComplete="new-password"
            />
          </FormField>
        </ExpandableSection>
      </SpaceBetween>
    </Modal>
  );
};
