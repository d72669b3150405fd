import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteIntegration } from '../../api/changes.ts';
import { nameIn } from '../../api/paths.ts';
import { QUERIES } from '../../api/reads.ts';
import { useApi } from '../../console-context.ts';
import { tell } from '../../shell/notices.ts';
import { AdminButton } from '../admin-button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { SettingRow } from './setting-row.tsx';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

const WORD = 'delete';

/** Deletes the webhook, after the person typed that this is meant. */
export const DeletionSettings = ({ account, integration }: WebhookSettingsProps) => {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const id = nameIn(integration.id);
  const deleting = useMutation({
    mutationFn: () => deleteIntegration(api, id),
    onSuccess: async () => {
      tell({ type: 'success', text: `The webhook to ${integration.config.baseUrl} is deleted.` });
      await navigate({ to: '/accounts/$account/settings/integrations', params: { account } });
      queries.removeQueries({ queryKey: QUERIES.webhook(id) });
      await queries.invalidateQueries({ queryKey: QUERIES.integrations(account) });
    },
  });
  return (
    <>
      <SettingRow
        title="Delete"
        action={<AdminButton onClick={() => setAsking(true)}>Delete</AdminButton>}
      >
        Its events that wait are deleted with it, and its deliveries cannot be read any more.
      </SettingRow>
      {isAsking && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete"
          doing={deleting}
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
    </>
  );
};
