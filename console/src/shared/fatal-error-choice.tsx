import FormField from '@cloudscape-design/components/form-field';
import RadioGroup, { type RadioGroupProps } from '@cloudscape-design/components/radio-group';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { OnFatalError } from '../api/resources.ts';
import { FATAL_ERROR_CHOICE } from '../shell/places.ts';

const CHOICES: readonly (RadioGroupProps.RadioButtonDefinition & { value: OnFatalError })[] = [
  {
    value: 'pause',
    label: 'Pause',
    description:
      'The webhook fails, and all its events wait until your endpoint confirms one. Choose this if an error means that your endpoint is broken.',
  },
  {
    value: 'continue',
    label: 'Continue with the other events',
    description:
      'The refused event is sent again within the hour. The webhook fails after 20 events refused in a row. Choose this if your endpoint answers 4xx or 5xx to single events that it does not want.',
  },
];

/** What an event that the endpoint refuses does to the others. */
export const FatalErrorChoice = ({
  choice,
  onChange,
  errorText,
  isReadOnly = false,
}: {
  choice: OnFatalError;
  onChange: (choice: OnFatalError) => void;
  errorText: string | undefined;
  isReadOnly?: boolean;
}) => {
  const radios = useFocusByLink();
  return (
    <FormField stretch label="When the endpoint refuses an event" errorText={errorText}>
      <RadioGroup
        ref={radios}
        value={choice}
        readOnly={isReadOnly}
        onChange={({ detail }) =>
          onChange(CHOICES.find(({ value }) => value === detail.value)?.value ?? choice)
        }
        items={CHOICES}
      />
    </FormField>
  );
};

/** Focuses the choice each time that a link leads to it, which also scrolls to it. */
const useFocusByLink = () => {
  const radios = useRef<RadioGroupProps.Ref>(null);
  // The key of a visit differs from the key of an earlier visit to the same address.
  const visit = useRouterState({
    select: ({ location: { hash, state } }) =>
      hash === FATAL_ERROR_CHOICE ? (state.__TSR_key ?? '') : undefined,
  });
  useEffect(() => {
    if (visit !== undefined) radios.current?.focus();
  }, [visit]);
  return radios;
};
