import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEventTypes } from '../api/reads.ts';
import type { EventType, EventTypeEntry } from '../api/resources.ts';
import { Loaded } from './loaded.tsx';
import { isDeaf, type WebhookDraft } from './webhook-draft.ts';

type Choice = WebhookDraft['actions'];

/** The two that the web application subscribes to; the others are for those who look for them. */
const USUAL: readonly EventType[] = ['message.delivered', 'message.received'];

/** Which events a webhook receives. */
export const EventChoice = ({
  choice,
  onChange,
  errorText,
  isReadOnly = false,
}: {
  choice: Choice;
  onChange: (choice: Choice) => void;
  errorText: string | undefined;
  isReadOnly?: boolean;
}) => {
  const box = ({ name, description }: EventTypeEntry) => (
    <Checkbox
      key={name}
      checked={choice[name] ?? false}
      readOnly={isReadOnly}
      description={description}
      onChange={({ detail }) => onChange({ ...choice, [name]: detail.checked })}
    >
      {name}
    </Checkbox>
  );
  return (
    <Loaded query={useEventTypes()} what="The event types">
      {(types) => {
        const more = types.filter(({ name }) => !USUAL.includes(name));
        const chosen = more.filter(({ name }) => choice[name]).length;
        return (
          <FormField
            stretch
            label="Events"
            errorText={errorText}
            warningText={isDeaf(choice) && 'No event is chosen: the webhook would receive nothing.'}
          >
            <SpaceBetween size="m">
              <ColumnLayout columns={2} minColumnWidth={240}>
                {types.filter(({ name }) => USUAL.includes(name)).map(box)}
              </ColumnLayout>
              <ExpandableSection
                headerText="More events"
                headerDescription={
                  chosen === 0
                    ? `${more.length} more to choose from`
                    : `${chosen} of ${more.length} chosen`
                }
                defaultExpanded={chosen > 0}
              >
                <ColumnLayout columns={2} minColumnWidth={240}>
                  {more.map(box)}
                </ColumnLayout>
              </ExpandableSection>
            </SpaceBetween>
          </FormField>
        );
      }}
    </Loaded>
  );
};
