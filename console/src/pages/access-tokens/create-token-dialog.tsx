import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { issueAccessToken } from '../../api/changes.ts';
import { formErrors, NO_ERRORS } from '../../api/field-errors.ts';
import { QUERIES } from '../../api/reads.ts';
import type { IssuedAccessToken, Role } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { FormAlert } from '../../shared/form-alert.tsx';
import { SecretOnce } from '../../shared/secret-once.tsx';

interface DialogProps {
  readonly account: string;
  readonly onClose: () => void;
}

/** Asks for a token's name and role, and then shows the token. */
export const CreateTokenDialog = ({ account, onClose }: DialogProps) => {
  const [issued, setIssued] = useState<IssuedAccessToken>();
  if (issued === undefined) {
    return <TokenForm account={account} onClose={onClose} onIssued={setIssued} />;
  }
  return (
    <Modal
      visible
      size="large"
      header={`The token ${issued.name} is ready`}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            I have stored the token
          </Button>
        </Box>
      }
    >
      <SecretOnce name="Access token" secret={issued.token}>
        Put it where your program reads its secrets. If it gets lost, revoke it and create another.
      </SecretOnce>
    </Modal>
  );
};

const TokenForm = ({
  account,
  onClose,
  onIssued,
}: DialogProps & { onIssued: (token: IssuedAccessToken) => void }) => {
  const api = useApi();
  const queries = useQueryClient();
  const formId = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const issuing = useMutation({
    mutationFn: () => issueAccessToken(api, account, { name: name.trim(), role }),
    onSuccess: (issued) => {
      void queries.invalidateQueries({ queryKey: QUERIES.accessTokens(account) });
      onIssued(issued);
    },
  });
  const { fields, others } = issuing.error
    ? formErrors(issuing.error, ['/name', '/role'])
    : NO_ERRORS;
  const create = (event: FormEvent) => {
    event.preventDefault();
    if (!issuing.isPending) issuing.mutate();
  };
  return (
    <Modal
      visible
      header="Create token"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" form={formId} formAction="submit" loading={issuing.isPending}>
              Create
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={formId} onSubmit={create} noValidate>
        <FormAlert header="The token was not created" errors={others} />
        <SpaceBetween size="l">
          <FormField
            stretch
            label="Name"
            description="Which program uses the token."
            errorText={fields['/name']}
          >
            <Input
              value={name}
              onChange={({ detail }) => setName(detail.value)}
              autoComplete={false}
            />
          </FormField>
          <FormField label="Role" errorText={fields['/role']}>
            <RadioGroup
              value={role}
              onChange={({ detail }) => setRole(detail.value === 'admin' ? 'admin' : 'member')}
              items={[
                { value: 'member', label: 'Member', description: 'Reads everything.' },
                { value: 'admin', label: 'Admin', description: 'Reads and changes everything.' },
              ]}
            />
          </FormField>
        </SpaceBetween>
      </form>
    </Modal>
  );
};
