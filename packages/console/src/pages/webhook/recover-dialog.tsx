import { Box, FormField, RadioGroup, SpaceBetween } from '@cloudscape-design/components';
import { useState } from 'react';
import { Dialog } from '../../shared/dialog.tsx';
import { pastInstant, recoveryChoices } from './recovering.ts';
import { useShownWebhook } from './shown-webhook.ts';

const OWN = 'own';

export const RecoverDialog = ({ onClose }: { onClose: () => void }) => {
  const { integration, actions } = useShownWebhook();
  const [choices] = useState(() => recoveryChoices(integration, new Date()));
  const [chosen, setChosen] = useState(choices[0]?.id ?? OWN);
  const [local, setLocal] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const recover = (): void => {
    const since = choices.find(({ id }) => id === chosen)?.since ?? pastInstant(local, new Date());
    setIsRefused(since === undefined);
    if (since !== undefined) actions.recover.mutate(since, { onSettled: onClose });
  };
  return (
    <Dialog
      title="Recover all"
      confirm="Recover"
      isBusy={actions.recover.isPending}
      onConfirm={recover}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <Box>
          Use it when your endpoint works again. It ends the failure immediately and sends waiting
          events, oldest first. Then it sends undelivered events:
        </Box>
        <FormField label="Events to send">
          <RadioGroup
            value={chosen}
            onChange={({ detail }) => setChosen(detail.value)}
            items={[
              ...choices.map(({ id, words }) => ({ value: id, label: words })),
              { value: OWN, label: 'Since another time' },
            ]}
          />
        </FormField>
        {chosen === OWN && (
          <SinceField
            value={local}
            onChange={setLocal}
            errorText={isRefused ? 'Choose a time in the past.' : ''}
          />
        )}
        <Box color="text-body-secondary">
          Delivered events are not sent again. An event in flight may arrive twice. Recognise it by
          its id.
        </Box>
      </SpaceBetween>
    </Dialog>
  );
};

const SinceField = ({
  value,
  onChange,
  errorText,
}: {
  value: string;
  onChange: (local: string) => void;
  errorText: string;
}) => (
  <FormField label="Since" controlId="recover-since" errorText={errorText}>
    <input
      id="recover-since"
      className="instant-input"
      type="datetime-local"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </FormField>
);
