import { useState } from 'react';
import { changeIntegration } from '../../api/changes.ts';
import { tell } from '../../shell/notices.ts';
import { AdminButton } from '../admin-button.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { SettingRow } from './setting-row.tsx';
import { useChange } from './use-change.ts';
import type { WebhookSettingsProps } from './webhook-settings.tsx';

/** Switches the webhook off, and on again. */
export const ActivitySettings = (props: WebhookSettingsProps) => {
  const { active } = props.integration;
  const [isAsking, setAsking] = useState(false);
  const switching = useChange(
    props,
    (api, id, wanted: boolean) =>
      changeIntegration(api, id, { changes: { active: wanted }, etag: props.etag }),
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
    <>
      <SettingRow
        title={word}
        action={<AdminButton onClick={() => setAsking(true)}>{word}</AdminButton>}
      >
        {active
          ? 'Deactivated, the webhook receives nothing. Events of that time are not sent later.'
          : 'The webhook is inactive: no event is sent to it.'}
      </SettingRow>
      {isAsking && (
        <ConfirmDialog
          title={`${word} this webhook?`}
          confirm={word}
          doing={{ ...switching, mutate: () => switching.mutate(!active) }}
          onClose={() => setAsking(false)}
        >
          {active
            ? 'No event is sent to it until somebody activates it. What waits stays kept.'
            : 'New events are sent to it from now on, and so is what waits.'}
        </ConfirmDialog>
      )}
    </>
  );
};
