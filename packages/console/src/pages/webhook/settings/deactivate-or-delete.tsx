import {
  Box,
  Container,
  FormField,
  Header,
  Input,
  SpaceBetween,
} from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { integrationPath } from '../../../api/paths.ts';
import { QUERIES } from '../../../api/reads.ts';
import { useApi } from '../../../console-context.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { Breakable } from '../../../shared/breakable.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../../../shared/dialog.tsx';
import { webhookName } from '../../../shared/webhook-name.ts';
import { tell } from '../../../shell/notices.ts';
import { PLACES } from '../../../shell/places.ts';
import { changeSettings, useChange, useShownWebhook } from '../shown-webhook.ts';

export const DeactivateOrDelete = () => (
  <Container header={<Header variant="h2">Deactivate or delete</Header>}>
    <SpaceBetween size="l">
      <Activity />
      <Deletion />
    </SpaceBetween>
  </Container>
);

const Activity = () => {
  const { integration, etag } = useShownWebhook();
  const { active } = integration;
  const switching = useChange(
    (api, path) => changeSettings(api, path, { active: !active }, etag),
    ({ body }) =>
      tell({
        type: 'success',
        text: body.active
          ? 'The webhook is active. Events are sent again.'
          : 'The webhook is inactive. No events are sent.',
      }),
  );
  const word = active ? 'Deactivate' : 'Activate';
  return (
    <Setting
      title={word}
      explanation={
        active
          ? 'While inactive, the webhook gets no events, and they are not sent later.'
          : 'The webhook is inactive. It gets no events.'
      }
      change={switching}
    >
      {active
        ? 'It gets no events until someone activates it. Events that are waiting stay stored.'
        : 'It gets new events from now on, and the events that are waiting.'}
    </Setting>
  );
};

const WORD = 'delete';

/** The user types a word to confirm. */
const Deletion = () => {
  const { account, id, integration } = useShownWebhook();
  const [typed, setTyped] = useState('');
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => api.delete(integrationPath(id)),
    onSuccess: async () => {
      tell({ type: 'success', text: `The webhook ${webhookName(integration)} is deleted.` });
      await navigate({ href: PLACES.integrations(account) });
      queries.removeQueries({ queryKey: QUERIES.webhook(id) });
      await queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
    },
  });
  return (
    <Setting
      title="Delete"
      explanation="This also deletes its waiting events. Its deliveries can no longer be read."
      change={deleting}
      isAllowed={typed.trim().toLowerCase() === WORD}
    >
      <SpaceBetween size="m">
        <div>
          <Breakable>{webhookName(integration)}</Breakable> gets no more events. This cannot be
          undone. To stop its events for some time, deactivate it instead.
        </div>
        <FormField label={`Type ${WORD} to confirm`}>
          <Input
            value={typed}
            onChange={({ detail }) => setTyped(detail.value)}
            autoComplete={false}
          />
        </FormField>
      </SpaceBetween>
    </Setting>
  );
};

interface SettingProps extends Pick<ConfirmDialogProps, 'change' | 'isAllowed' | 'children'> {
  readonly title: string;
  readonly explanation: string;
}

/** A button that changes the webhook after a confirmation. */
const Setting = ({ title, explanation, ...dialog }: SettingProps) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="setting">
      <div>
        <Box variant="h3" padding="n">
          {title}
        </Box>
        <Box color="text-body-secondary">{explanation}</Box>
      </div>
      <AdminButton onClick={() => setAsking(true)}>{title}</AdminButton>
      {isAsking && (
        <ConfirmDialog
          {...dialog}
          title={`${title} this webhook?`}
          confirm={title}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
};
