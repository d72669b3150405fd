import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Modal from '@cloudscape-design/components/modal';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { Integration } from '../../api/resources.ts';
import { pastInstant, recoveryChoices } from './recovery-choices.ts';

const OWN = 'own';

/** Asks since when undelivered events are sent again. */
export const RecoverDialog = ({
  integration,
  isRecovering,
  onRecover,
  onDismiss,
}: {
  integration: Integration;
  isRecovering: boolean;
  onRecover: (since: string) => void;
  onDismiss: () => void;
}): ReactNode => {
  const [choices] = useState(() => recoveryChoices(integration, new Date()));
  const [chosen, setChosen] = useState(choices[0]?.id ?? OWN);
  const [local, setLocal] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const recover = (): void => {
    const since = choices.find(({ id }) => id === chosen)?.since ?? pastInstant(local, new Date());
    setIsRefused(since === undefined);
    if (since !== undefined) onRecover(since);
  };
  return (
    <Modal
      visible
      header="Recover all"
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              Cancel
            </Button>
            <Button variant="primary" loading={isRecovering} onClick={recover}>
              Recover
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>
          Use it when your endpoint works again. It ends the failure at once and sends what waits,
          oldest first; then it sends what was not delivered:
        </Box>
        <RadioGroup
          ariaLabel="Which events"
          value={chosen}
          onChange={({ detail }) => setChosen(detail.value)}
          items={[
            ...choices.map(({ id, words }) => ({ value: id, label: words })),
            { value: OWN, label: 'Since another instant' },
          ]}
        />
        {chosen === OWN && (
          <FormField
            label="Since"
            controlId="recover-since"
            errorText={isRefused ? 'Choose an instant that is over.' : ''}
          >
            <input
              id="recover-since"
              className="instant-input"
              type="datetime-local"
              value={local}
              onChange={({ target }) => setLocal(target.value)}
            />
          </FormField>
        )}
        <Box color="text-body-secondary">
          What was delivered is not sent again. Your receiver may get an event twice that is just
          being sent: it recognises the event by its id.
        </Box>
      </SpaceBetween>
    </Modal>
  );
};
