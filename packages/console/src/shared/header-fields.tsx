import { AttributeEditor, FormField, Input } from '@cloudscape-design/components';
import { SETTING_LABELS } from '../api/resources.ts';
import {
  type HeaderDraft,
  headerPointer,
  MOST_HEADERS,
  repeatedHeader,
  twoHeadersNamed,
} from './webhook-draft.ts';
import type { WebhookFormProps } from './webhook-fields.tsx';

/** The headers of the user's own. A stored value is never shown: it stays until another is typed. */
export const HeaderFields = ({ draft, onChange, errors, isReadOnly = false }: WebhookFormProps) => {
  const { headers } = draft;
  const change = (index: number, changed: Partial<HeaderDraft>) =>
    onChange({
      ...draft,
      headers: headers.map((header, at) => (at === index ? { ...header, ...changed } : header)),
    });
  const repeated = repeatedHeader(draft);
  const faultOf = (name: string): string | undefined => errors[headerPointer(name)];
  return (
    <FormField
      stretch
      label={SETTING_LABELS['/config/headers']}
      description="Sent with every request, for example the key of a gateway. They are not signed, and their values are not shown again."
      errorText={repeated === undefined ? errors['/config/headers'] : twoHeadersNamed(repeated)}
    >
      <AttributeEditor<HeaderDraft>
        items={headers}
        empty="No headers"
        addButtonText="Add header"
        removeButtonText="Remove"
        disableAddButton={isReadOnly || headers.length >= MOST_HEADERS}
        isItemRemovable={() => !isReadOnly}
        onAddButtonClick={() =>
          onChange({ ...draft, headers: [...headers, { name: '', value: '', isStored: false }] })
        }
        onRemoveButtonClick={({ detail }) =>
          onChange({ ...draft, headers: headers.filter((_, at) => at !== detail.itemIndex) })
        }
        definition={[
          {
            label: 'Name',
            errorText: ({ name }) => !isOfValue(faultOf(name)) && faultOf(name),
            control: ({ name, isStored }, index) => (
              <Input
                value={name}
                onChange={({ detail }) => change(index, { name: detail.value })}
                readOnly={isReadOnly || isStored}
                placeholder="X-Api-Key"
                autoComplete={false}
                spellcheck={false}
              />
            ),
          },
          {
            label: 'Value',
            errorText: ({ name }) => isOfValue(faultOf(name)) && faultOf(name),
            control: ({ value, isStored }, index) => (
              <Input
                value={value}
                onChange={({ detail }) => change(index, { value: detail.value })}
                readOnly={isReadOnly}
                placeholder={isStored ? 'Stored. Type a value to replace it.' : ''}
                type="password"
                autoComplete="new-password"
              />
            ),
          },
        ]}
      />
    </FormField>
  );
};

/** The faults of names say what to have, or what not to set. */
const isOfValue = (fault: string | undefined): boolean => fault?.startsWith('Must be ') ?? false;
