import {
  Alert,
  Box,
  Container,
  FormField,
  Header,
  Input,
  RadioGroup,
  SpaceBetween,
} from '@cloudscape-design/components';
import { useEffect, useState } from 'react';
import { formErrors } from '../../../api/field-errors.ts';
import type { Integration } from '../../../api/resources.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { FormAlert } from '../../../shared/form-alert.tsx';
import { Instant } from '../../../shared/instant.tsx';
import { remainingInWords } from '../../../shared/instant-words.ts';
import { SecretDialog } from '../../../shared/secret-once.tsx';
import { OwnSecretField } from '../../../shared/webhook-fields.tsx';
import { tell } from '../../../shell/notices.ts';
import { useChange, useShownWebhook } from '../shown-webhook.ts';

/** The rotation of the webhook's secret. No read returns the secret itself. */
export const SecretSettings = () => {
  const [isRotating, setRotating] = useState(false);
  const [isSwitching, setSwitching] = useState(false);
  const { config, previousSecretExpiresAt } = useShownWebhook().integration;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Signs every request. It is shown only once, when it is set."
          actions={<AdminButton onClick={() => setRotating(true)}>Rotate secret</AdminButton>}
        >
          Signing secret
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Box variant="code">••••••••••••••••</Box>
        {config.nextWebhookSecret !== undefined && (
          <Alert
            type="info"
            header="A new secret is prepared"
            action={
              <AdminButton onClick={() => setSwitching(true)}>Switch to the new secret</AdminButton>
            }
          >
            X-Service-Signature uses the old secret, and webhook-signature has a signature with
            each. Let your receiver accept both secrets, then switch.
          </Alert>
        )}
        {previousSecretExpiresAt !== undefined && <Overlap until={previousSecretExpiresAt} />}
      </SpaceBetween>
      {isRotating && <RotateDialog onClose={() => setRotating(false)} />}
      {isSwitching && <SwitchDialog onClose={() => setSwitching(false)} />}
    </Container>
  );
};

const Overlap = ({ until }: { until: string }) => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const remaining = remainingInWords(until, now);
  if (remaining === undefined) return null;
  return (
    <Alert type="info" header={`The previous secret still signs for ${remaining}`}>
      Until <Instant at={until} />, webhook-signature has a signature with each secret.
      X-Service-Signature uses only the new secret.
    </Alert>
  );
};

/** In hours. */
const OVERLAPS = [
  { value: '24', label: '24 hours', description: 'Time to remove the old secret from receivers.' },
  { value: '168', label: '7 days', description: 'The longest overlap.' },
  {
    value: '0',
    label: 'None',
    description: 'Use this if the old secret has leaked. It stops working now.',
  },
];

const ROTATE_FIELDS = { '/webhookSecret': 'New signing secret' } as const;

const RotateDialog = ({ onClose }: { onClose: () => void }) => {
  const { etag } = useShownWebhook();
  const [ownSecret, setOwnSecret] = useState('');
  const [newSecret, setNewSecret] = useState<string>();
  const rotating = useChange(
    (api, path) =>
      api.post<Integration>(`${path}/rotate-secret`, {
        body: ownSecret.trim() === '' ? {} : { webhookSecret: ownSecret.trim() },
        etag,
      }),
    ({ config }) => {
      setNewSecret(config.nextWebhookSecret);
      if (config.nextWebhookSecret === undefined) {
        tell({ type: 'info', text: 'This is the current secret. No other secret is prepared.' });
        onClose();
      }
    },
  );
  const { fields, all } = formErrors(rotating.error, ROTATE_FIELDS);
  if (newSecret !== undefined) {
    return (
      <SecretDialog
        title="The new signing secret"
        name="Signing secret"
        secret={newSecret}
        confirm="I have stored the secret"
        onClose={onClose}
      >
        Let your receiver accept it beside the old one. Then choose “Switch to the new secret”. If
        it gets lost, rotate again.
      </SecretDialog>
    );
  }
  return (
    <Dialog
      title="Rotate the signing secret"
      confirm="Rotate"
      isBusy={rotating.isPending}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <FormAlert header="The secret was not rotated" errors={all} failure={rotating.error} />
      <SpaceBetween size="l">
        <Box>
          The new secret is shown next. Until you switch to it, the old secret signs as before, and
          your receiver keeps working.
        </Box>
        <OwnSecretField
          label={ROTATE_FIELDS['/webhookSecret']}
          value={ownSecret}
          onChange={setOwnSecret}
          errorText={fields['/webhookSecret']}
        />
      </SpaceBetween>
    </Dialog>
  );
};

const SWITCH_FIELDS = {
  '/webhookSecret': 'New signing secret',
  '/overlapSeconds': 'Keep signing with the old secret for',
} as const;

const useSwitch = (secret: string, overlapHours: string, onSwitched: () => void) => {
  const { etag } = useShownWebhook();
  return useChange(
    (api, path) =>
      api.post<Integration>(`${path}/switch-secret`, {
        body: { webhookSecret: secret.trim(), overlapSeconds: Number(overlapHours) * 3_600 },
        etag,
      }),
    ({ previousSecretExpiresAt: until }) => {
      const old = until ? 'also signs webhook-signature during the overlap' : 'no longer signs';
      tell({ type: 'success', text: `The new secret signs now. The old secret ${old}.` });
      onSwitched();
    },
  );
};

const SwitchDialog = ({ onClose }: { onClose: () => void }) => {
  const [secret, setSecret] = useState('');
  const [overlapHours, setOverlapHours] = useState('24');
  const switching = useSwitch(secret, overlapHours, onClose);
  const { fields, all } = formErrors(switching.error, SWITCH_FIELDS);
  return (
    <Dialog
      title="Switch to the new secret"
      confirm="Switch"
      isBusy={switching.isPending}
      onConfirm={() => switching.mutate()}
      onClose={onClose}
    >
      <FormAlert header="The secret was not switched" errors={all} failure={switching.error} />
      <SpaceBetween size="l">
        <Box>
          X-Service-Signature switches to the new secret immediately. A receiver that does not know
          it yet refuses every event.
        </Box>
        <FormField
          stretch
          label={SWITCH_FIELDS['/webhookSecret']}
          description="The prepared secret, as your receiver accepts it now."
          errorText={fields['/webhookSecret']}
        >
          <Input
            value={secret}
            onChange={({ detail }) => setSecret(detail.value)}
            type="password"
            autoComplete="off"
          />
        </FormField>
        <FormField
          label={SWITCH_FIELDS['/overlapSeconds']}
          description="In the header webhook-signature."
          errorText={fields['/overlapSeconds']}
        >
          <RadioGroup
            value={overlapHours}
            onChange={({ detail }) => setOverlapHours(detail.value)}
            items={OVERLAPS}
          />
        </FormField>
      </SpaceBetween>
    </Dialog>
  );
};
