import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';

export const EndpointField = ({
  value,
  onChange,
  errorText,
  isReadOnly = false,
}: {
  value: string;
  onChange: (value: string) => void;
  errorText: string | undefined;
  isReadOnly?: boolean;
}) => (
  <FormField
    stretch
    label="Endpoint URL"
    description="A public https:// address of yours that takes POST requests and answers 2xx."
    errorText={errorText}
  >
    <Input
      value={value}
      onChange={({ detail }) => onChange(detail.value)}
      readOnly={isReadOnly}
      placeholder="https://hooks.example.com/messages"
      type="url"
      inputMode="url"
      autoComplete={false}
      spellcheck={false}
    />
  </FormField>
);
