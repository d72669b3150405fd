import {
  Checkbox,
  ColumnLayout,
  ExpandableSection,
  FormField,
  Input,
  RadioGroup,
  type RadioGroupProps,
  SpaceBetween,
  Textarea,
} from '@cloudscape-design/components';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { FormErrors } from '../api/field-errors.ts';
import { useEventTypes } from '../api/reads.ts';
import {
  type EventType,
  type EventTypeEntry,
  type OnFatalError,
  SETTING_LABELS,
  type WhileInactive,
} from '../api/resources.ts';
import { FATAL_ERROR_CHOICE } from '../shell/places.ts';
import { FormSection } from './form-section.tsx';
import { Loaded } from './loaded.tsx';
import { type FilterOutcome, filterOutcome, isDeaf, type WebhookDraft } from './webhook-draft.ts';
import { addressInWords } from './webhook-name.ts';

/** A form with the settings of a webhook. */
export interface WebhookFormProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  readonly errors: FormErrors['fields'];
  readonly isReadOnly?: boolean;
}

export const EndpointField = ({ draft, onChange, errors, isReadOnly }: WebhookFormProps) => (
  <FormField
    stretch
    label={SETTING_LABELS['/config/baseUrl']}
    description="Your public https:// URL. It must accept POST requests and answer 2xx."
    errorText={errors['/config/baseUrl']}
  >
    <Input
      value={isReadOnly ? addressInWords(draft.baseUrl) : draft.baseUrl}
      onChange={({ detail }) => onChange({ ...draft, baseUrl: detail.value })}
      readOnly={isReadOnly}
      placeholder="https://hooks.example.com/messages"
      type="url"
      inputMode="url"
      autoComplete={false}
      spellcheck={false}
    />
  </FormField>
);

export const DescriptionField = ({ draft, onChange, errors, isReadOnly }: WebhookFormProps) => (
  <FormField
    stretch
    label={
      <span>
        {SETTING_LABELS['/description']} <i>- optional</i>
      </span>
    }
    description="Shown in lists and e-mails. It is not sent to your endpoint."
    errorText={errors['/description']}
  >
    <Input
      value={draft.description}
      onChange={({ detail }) => onChange({ ...draft, description: detail.value })}
      readOnly={isReadOnly}
      placeholder="Orders, production"
      autoComplete={false}
    />
  </FormField>
);

/** The event types that most webhooks subscribe to. The others are in a closed section. */
const USUAL: readonly EventType[] = ['message.delivered', 'message.received'];

export const EventChoice = ({ draft, onChange, errors, isReadOnly }: WebhookFormProps) => {
  const choice = draft.actions;
  const boxes = (types: readonly EventTypeEntry[]) => (
    <ColumnLayout columns={2} minColumnWidth={240}>
      {types.map(({ name, description }) => (
        <Checkbox
          key={name}
          checked={choice[name] ?? false}
          readOnly={isReadOnly}
          description={description}
          onChange={({ detail }) =>
            onChange({ ...draft, actions: { ...choice, [name]: detail.checked } })
          }
        >
          {name}
        </Checkbox>
      ))}
    </ColumnLayout>
  );
  return (
    <Loaded query={useEventTypes()} what="The event types">
      {(types) => {
        const more = types.filter(({ name }) => !USUAL.includes(name));
        const chosen = more.filter(({ name }) => choice[name]).length;
        return (
          <FormField
            stretch
            label={SETTING_LABELS['/settings/actions']}
            errorText={errors['/settings/actions']}
            warningText={
              isDeaf(choice) && 'No event type is chosen. The webhook will not receive events.'
            }
          >
            <SpaceBetween size="m">
              {boxes(types.filter(({ name }) => USUAL.includes(name)))}
              <ExpandableSection
                headerText="More events"
                headerDescription={
                  chosen === 0
                    ? `${more.length} more to choose from`
                    : `${chosen} of ${more.length} chosen`
                }
                defaultExpanded={chosen > 0}
              >
                {boxes(more)}
              </ExpandableSection>
            </SpaceBetween>
          </FormField>
        );
      }}
    </Loaded>
  );
};

const CHOICES: readonly (RadioGroupProps.RadioButtonDefinition & { value: OnFatalError })[] = [
  {
    value: 'pause',
    label: 'Pause',
    description:
      'The webhook fails, and all its events wait until your endpoint confirms one. Choose this if an error means that your endpoint is down.',
  },
  {
    value: 'continue',
    label: 'Continue with the other events',
    description:
      'The refused event is sent again after a delay. The webhook fails after 20 events refused in a row. Choose this if your endpoint answers 4xx or 5xx to single events that it does not want.',
  },
];

export const FatalErrorChoice = ({ draft, onChange, errors, isReadOnly }: WebhookFormProps) => (
  <FormField
    stretch
    label={SETTING_LABELS['/settings/onFatalError']}
    errorText={errors['/settings/onFatalError']}
  >
    <RadioGroup
      ref={useFocusByLink()}
      value={draft.onFatalError}
      readOnly={isReadOnly}
      onChange={({ detail }) => onChange({ ...draft, onFatalError: detail.value as OnFatalError })}
      items={CHOICES}
    />
  </FormField>
);

const WHILE_INACTIVE: readonly (RadioGroupProps.RadioButtonDefinition & {
  value: WhileInactive;
})[] = [
  {
    value: 'discard',
    label: 'Discard new events',
    description:
      'Events that happen until someone activates it again are lost: they are neither stored nor sent later.',
  },
  {
    value: 'keep',
    label: 'Keep new events',
    description:
      'Events that happen until someone activates it again are stored without an attempt, and sent then.',
  },
];

interface InactiveChoiceProps {
  readonly value: WhileInactive | undefined;
  readonly onChange: (value: WhileInactive) => void;
  readonly isReadOnly?: boolean | undefined;
}

export const InactiveChoice = ({
  value = 'discard',
  onChange,
  isReadOnly,
}: InactiveChoiceProps) => (
  <FormField stretch label={SETTING_LABELS['/settings/whileInactive']}>
    <RadioGroup
      value={value}
      readOnly={isReadOnly}
      onChange={({ detail }) => onChange(detail.value as WhileInactive)}
      items={WHILE_INACTIVE}
    />
  </FormField>
);

/** Focuses the choice whenever a link leads to it, which also scrolls to it. */
const useFocusByLink = () => {
  const radios = useRef<RadioGroupProps.Ref>(null);
  // Each visit has a key of its own, even to the same address.
  const visit = useRouterState({
    select: ({ location: { hash, state } }) =>
      hash === FATAL_ERROR_CHOICE ? (state.__TSR_key ?? '') : undefined,
  });
  useEffect(() => {
    if (visit !== undefined) radios.current?.focus();
  }, [visit]);
  return radios;
};

export const FilterField = ({ draft, onChange, errors, isReadOnly }: WebhookFormProps) => {
  const { data: types } = useEventTypes();
  const outcome =
    types === undefined || draft.filter.trim() === '' ? undefined : filterOutcome(draft, types);
  return (
    <FormField
      stretch
      label={
        <span>
          {SETTING_LABELS['/settings/filter']} <i>- optional</i>
        </span>
      }
      description='A pattern on the data of events, such as { "message": { "to": [ "+13035550199" ] } }. Other events are not sent, and not stored.'
      errorText={errors['/settings/filter']}
      warningText={outcome?.warnings.join(' ')}
      constraintText={outcome && (outcome.fault ?? reachInWords(outcome))}
    >
      <Textarea
        value={draft.filter}
        onChange={({ detail }) => onChange({ ...draft, filter: detail.value })}
        readOnly={isReadOnly}
        rows={Math.min(12, draft.filter.split('\n').length + 1)}
        spellcheck={false}
      />
    </FormField>
  );
};

const reachInWords = ({ sent, others }: FilterOutcome): string =>
  [
    ...(sent.length > 0 ? [`It sends events of ${sent.join(', ')} that match.`] : []),
    ...(others.length > 0 ? [`It sends no event of ${others.join(', ')}.`] : []),
  ].join(' ');

interface OwnSecretProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly errorText: string | undefined;
}

/** A closed section with a field for a secret that the user brings. */
export const OwnSecretField = ({ label, value, onChange, errorText }: OwnSecretProps) => (
  <FormSection
    header="Your own signing secret"
    description="If you leave this empty, a secret is generated."
    error={errorText}
  >
    <FormField
      stretch
      label={label}
      description="16 to 128 printable ASCII characters."
      errorText={errorText}
    >
      <Input
        value={value}
        onChange={({ detail }) => onChange(detail.value)}
        type="password"
        autoComplete="new-password"
      />
    </FormField>
  </FormSection>
);
