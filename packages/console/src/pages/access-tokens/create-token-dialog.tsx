import { FormField, Input, RadioGroup, Select, SpaceBetween } from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formErrors } from '../../api/field-errors.ts';
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

export const CreateTokenDialog = ({ onClose }: { onClose: () => void }) => {
  const account = useAccountName();
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [lifetime, setLifetime] = useState(NEVER);
  const issuing = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), role, expiresAt: expiryIn(lifetime.value) };
      return api.post<IssuedAccessToken>(tokensPath(account), { body });
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: QUERIES.accessTokens(account) }),
  });
  const { fields, all } = formErrors(issuing.error, FIELDS);
  const create = () => {
    if (!issuing.isPending) issuing.mutate();
  };
  if (issuing.data !== undefined) {
    return (
      <SecretDialog
        title={`The token ${issuing.data.name} is ready`}
        name="Access token"
        secret={issuing.data.token}
        confirm="I have stored the token"
        onClose={onClose}
      >
        Store it with the secrets of your program. If you lose it, revoke it and create another.
      </SecretDialog>
    );
  }
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
        <SpaceBetween size="l">
          <FormField
            stretch
            label={FIELDS['/name']}
            description="Which program uses the token."
            errorText={fields['/name']}
          >
            <Input
              value={name}
              onChange={({ detail }) => setName(detail.value)}
              autoComplete={false}
            />
          </FormField>
          <FormField label={FIELDS['/expiresAt']} errorText={fields['/expiresAt']}>
            <Select
              options={LIFETIMES}
              selectedOption={lifetime}
              onChange={({ detail }) =>
                setLifetime(
                  LIFETIMES.find(({ value }) => value === detail.selectedOption.value) ?? NEVER,
                )
              }
            />
          </FormField>
          <FormField label={FIELDS['/role']} errorText={fields['/role']}>
            <RadioGroup
              value={role}
              onChange={({ detail }) => setRole(detail.value as Role)}
              items={[
                { value: 'member', label: 'Member', description: 'Reads everything.' },
                { value: 'admin', label: 'Admin', description: 'Reads and changes everything.' },
              ]}
            />
          </FormField>
        </SpaceBetween>
      </form>
    </Dialog>
  );
};
