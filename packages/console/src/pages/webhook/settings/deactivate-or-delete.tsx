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
import type { Statistics, WhileInactive } from '../../../api/resources.ts';
import { useApi } from '../../../console-context.ts';
import { AdminButton } from '../../../shared/admin-button.tsx';
import { Breakable } from '../../../shared/breakable.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../../../shared/dialog.tsx';
import { ApiPageLink } from '../../../shared/explanation-link.tsx';
import { inDigits } from '../../../shared/locale.ts';
import { InactiveChoice } from '../../../shared/webhook-fields.tsx';
import { webhookName } from '../../../shared/webhook-name.ts';
import { tell } from '../../../shell/notices.ts';
import { PLACES } from '../../../shell/places.ts';
import { changeSettings, useChange, useShownWebhook } from '../shown-webhook.ts';
import { useLiveStatistics } from '../webhook-queries.ts';

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
  const { active, settings } = integration;
  const { whileInactive: before = 'discard' } = settings;
  // Until the user chooses, the choice is the present setting, which may change at any time.
  const [chosen, setChosen] = useState<WhileInactive>();
  const patch = {
    active: !active,
    ...(active && chosen && chosen !== before && { settings: { whileInactive: chosen } }),
  };
  const switching = useChange(
    (api, path) => changeSettings(api, path, patch, etag),
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
          ? 'No events are sent while the webhook is inactive.'
          : `The webhook is inactive. Events that happen now are ${before === 'keep' ? 'stored' : 'lost'}.`
      }
      change={switching}
      onAsk={() => setChosen(undefined)}
    >
      {active ? (
        <SpaceBetween size="s">
          <InactiveChoice value={chosen ?? before} onChange={setChosen} />
          <div>
            Events that are waiting now stay stored, and are sent then.{' '}
            <ApiPageLink
              page="/guides/recover#take-your-endpoint-down-for-an-hour"
              words="Take your endpoint down for an hour"
            />
          </div>
        </SpaceBetween>
      ) : (
        'It gets new events from now on, and the events that are waiting.'
      )}
    </Setting>
  );
};

const WORD = 'delete';

/** The events that are deleted with a webhook. Undefined until the statistics are read. */
const lossInWords = (kept: Statistics | undefined): string => {
  if (kept === undefined) return 'Events that are waiting are deleted.';
  const count = kept.pendingEvents + kept.setAsideEvents;
  if (count === 0) return 'No events are waiting.';
  const number = `${inDigits(count)}${kept.pendingEventsIsMore ? ' or more' : ''}`;
  return `${number} waiting ${count === 1 ? 'event is' : 'events are'} deleted.`;
};

/** The user types a word to confirm. */
const Deletion = () => {
  const { account, id, integration } = useShownWebhook();
  const kept = useLiveStatistics(id, integration.status).data;
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
      explanation="This also deletes its waiting events and its deliveries."
      change={deleting}
      isAllowed={typed.trim().toLowerCase() === WORD}
    >
      <SpaceBetween size="m">
        <div>
          <Breakable>{webhookName(integration)}</Breakable> gets no more events. {lossInWords(kept)}{' '}
          Its deliveries can no longer be read. This cannot be undone.
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
  /** Before the dialog opens. */
  readonly onAsk?: () => void;
}

/** A button that changes the webhook after a confirmation. */
const Setting = ({ title, explanation, onAsk, ...dialog }: SettingProps) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="setting">
      <div>
        <Box variant="h3" padding="n">
          {title}
        </Box>
        <Box color="text-body-secondary">{explanation}</Box>
      </div>
      <AdminButton
        onClick={() => {
          onAsk?.();
          setAsking(true);
        }}
      >
        {title}
      </AdminButton>
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
