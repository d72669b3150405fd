import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { integrationPath } from '../../../api/paths.ts';
import { QUERIES } from '../../../api/reads.ts';
import { useApi } from '../../../console-context.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { ConfirmDialog } from '../../../shared/dialog.tsx';
import { tell } from '../../../shell/notices.ts';
import { PLACES } from '../../../shell/places.ts';
import { changeSettings, useChange, useShownWebhook } from '../shown-webhook.ts';

/** Deactivates, activates or deletes the webhook. */
export const PauseOrEnd = () => (
  <Container header={<Header variant="h2">Pause or end</Header>}>
    <SpaceBetween size="l">
      <Activity />
      <Deletion />
    </SpaceBetween>
  </Container>
);

const Activity = () => {
  const { integration, etag } = useShownWebhook();
  const { active } = integration;
  const [isAsking, setAsking] = useState(false);
  const switching = useChange(
    (api, path) => changeSettings(api, path, { active: !active }, etag),
    ({ body }) => {
      setAsking(false);
      tell({
        type: 'success',
        text: body.active
          ? 'The webhook is active: events are sent again.'
          : 'The webhook is inactive: no event is sent.',
      });
    },
  );
  const word = active ? 'Deactivate' : 'Activate';
  return (
    <Setting title={word} onChoose={() => setAsking(true)}>
      {active
        ? 'Deactivated, the webhook receives nothing. Events of that time are not sent later.'
        : 'The webhook is inactive: no event is sent to it.'}
      {isAsking && (
        <ConfirmDialog
          title={`${word} this webhook?`}
          confirm={word}
          change={switching}
          onClose={() => setAsking(false)}
        >
          {active
            ? 'No event is sent to it until somebody activates it. What waits stays kept.'
            : 'New events are sent to it from now on, and so is what waits.'}
        </ConfirmDialog>
      )}
    </Setting>
  );
};

const WORD = 'delete';

/** Deletes the webhook after the user has typed a word to confirm. */
const Deletion = () => {
  const { account, id, integration } = useShownWebhook();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => api.delete(integrationPath(id)),
    onSuccess: async () => {
      tell({ type: 'success', text: `The webhook to ${integration.config.baseUrl} is deleted.` });
      await navigate({ href: PLACES.integrations(account) });
      queries.removeQueries({ queryKey: QUERIES.webhook(id) });
      await queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
    },
  });
  return (
    <Setting title="Delete" onChoose={() => setAsking(true)}>
      Its events that wait are deleted with it, and its deliveries cannot be read any more.
      {isAsking && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete"
          change={deleting}
          isAllowed={typed.trim().toLowerCase() === WORD}
          onClose={() => setAsking(false)}
        >
          <SpaceBetween size="m">
            <div>
              <span className="address">{integration.config.baseUrl}</span> receives nothing any
              more. This cannot be undone; to pause it, deactivate it instead.
            </div>
            <FormField label={`Type ${WORD} to confirm`}>
              <Input
                value={typed}
                onChange={({ detail }) => setTyped(detail.value)}
                autoComplete={false}
              />
            </FormField>
          </SpaceBetween>
        </ConfirmDialog>
      )}
    </Setting>
  );
};

/** A button that changes the webhook, with its explanation. */
const Setting = ({
  title,
  onChoose,
  children,
}: {
  title: string;
  onChoose: () => void;
  children: ReactNode;
}) => (
  <div className="setting">
    <div>
      <Box variant="h3" padding="n">
        {title}
      </Box>
      <Box color="text-body-secondary">{children}</Box>
    </div>
    <AdminButton onClick={onChoose}>{title}</AdminButton>
  </div>
);
