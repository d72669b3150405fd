import { FormField, Input, RadioGroup, Select, SpaceBetween } from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type FormErrors, formErrors } from '../../api/field-errors.ts';
import { tokensPath } from '../../api/paths.ts';
import { QUERIES, useAccountName } from '../../api/reads.ts';
import type { IssuedAccessToken, Role } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { FormAlert } from '../../shared/form-alert.tsx';
import { SecretDialog } from '../../shared/secret-once.tsx';

const FIELDS = { '/name': 'Name', '/role': 'Role', '/expiresAt': 'Expires' } as const;

const DAY_MS = 86_400_000;
const NEVER = { value: '', label: 'Never' };
const LIFETIMES = [
  NEVER,
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** When a token that is created now expires; undefined for never. */
const expiryIn = (days: string): string | undefined =>
  days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();

interface TokenChoices {
  readonly name: string;
  readonly role: Role;
  readonly lifetime: typeof NEVER;
}

export const CreateTokenDialog = ({ onClose }: { onClose: () => void }) => {
  const [choices, setChoices] = useState<TokenChoices>({
    name: '',
    role: 'member',
    lifetime: NEVER,
  });
  const issuing = useIssuing();
  const { fields, all } = formErrors(issuing.error, FIELDS);
  const create = () => {
    if (!issuing.isPending) issuing.mutate(choices);
  };
  if (issuing.data !== undefined) return <TokenReady token={issuing.data} onClose={onClose} />;
  return (
    <Dialog
      title="Create token"
      confirm="Create"
      isBusy={issuing.isPending}
      onConfirm={create}
      onClose={onClose}
    >
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          create();
        }}
        noValidate
      >
        <FormAlert header="The token was not created" errors={all} failure={issuing.error} />
        <TokenFields choices={choices} errors={fields} onChange={setChoices} />
      </form>
    </Dialog>
  );
};

const useIssuing = () => {
  const account = useAccountName();
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, role, lifetime }: TokenChoices) => {
      const body = { name: name.trim(), role, expiresAt: expiryIn(lifetime.value) };
      return api.post<IssuedAccessToken>(tokensPath(account), { body });
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: QUERIES.accessTokens(account) }),
  });
};

const TokenReady = ({ token, onClose }: { token: IssuedAccessToken; onClose: () => void }) => (
  <SecretDialog
    title={`The token ${token.name} is ready`}
    name="Access token"
    secret={token.token}
    confirm="I have stored the token"
    onClose={onClose}
  >
    Store it with the secrets of your program. If you lose it, revoke it and create another.
  </SecretDialog>
);

interface FieldsProps {
  readonly choices: TokenChoices;
  readonly errors: FormErrors['fields'];
  readonly onChange: (choices: TokenChoices) => void;
}

const TokenFields = ({ choices, errors, onChange }: FieldsProps) => (
  <SpaceBetween size="l">
    <FormField
      stretch
      label={FIELDS['/name']}
      description="Which program uses the token."
      errorText={errors['/name']}
    >
      <Input
        value={choices.name}
        onChange={({ detail }) => onChange({ ...choices, name: detail.value })}
        autoComplete={false}
      />
    </FormField>
    <FormField label={FIELDS['/expiresAt']} errorText={errors['/expiresAt']}>
      <Select
        options={LIFETIMES}
        selectedOption={choices.lifetime}
        onChange={({ detail }) => {
          const chosen = LIFETIMES.find(({ value }) => value === detail.selectedOption.value);
          onChange({ ...choices, lifetime: chosen ?? NEVER });
        }}
      />
    </FormField>
    <FormField label={FIELDS['/role']} errorText={errors['/role']}>
      <RadioGroup
        value={choices.role}
        onChange={({ detail }) => onChange({ ...choices, role: detail.value as Role })}
        items={[
          { value: 'member', label: 'Member', description: 'Reads everything.' },
          { value: 'admin', label: 'Admin', description: 'Reads and changes everything.' },
        ]}
      />
    </FormField>
  </SpaceBetween>
);
