import { Box, Container, Header } from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountPath } from '../../api/paths.ts';
import { QUERIES, useAccount, useAccountName } from '../../api/reads.ts';
import type { Account } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { tell } from '../../shell/notices.ts';

/** Whether admins get e-mails about failures, and the switch. Nothing for an account below. */
export const FailureMail = () => {
  const account = useAccount().data;
  if (account?.failureMail === undefined) return null;
  return (
    <Container header={<Header variant="h2">E-mails about failures</Header>}>
      {account.mailEnabled ? (
        <Switch isOn={account.failureMail} />
      ) : (
        <Box>This service does not send e-mails. Its operator can change this.</Box>
      )}
    </Container>
  );
};

const Switch = ({ isOn }: { isOn: boolean }) => {
  const name = useAccountName();
  const api = useApi();
  const queries = useQueryClient();
  const switching = useMutation({
    mutationFn: () =>
      api.request<Account>('PATCH', accountPath(name), {
        body: { failureMail: !isOn },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      }),
    onSuccess: ({ body }) => {
      queries.setQueryData(QUERIES.account(name), body);
      const text = `E-mails about failures are turned ${body.failureMail ? 'on' : 'off'}.`;
      tell({ type: 'success', text });
    },
    onError: (error) => tell({ type: 'error', text: error.message }),
  });
  return (
    <div className="setting">
      <Box>
        {isOn
          ? 'The admins of the organisation get an e-mail when a webhook fails, when it recovers, when events are set aside, and when events wait for an inactive webhook.'
          : 'Admins get no e-mail when a webhook fails.'}
      </Box>
      <AdminButton loading={switching.isPending} onClick={() => switching.mutate()}>
        {isOn ? 'Turn off' : 'Turn on'}
      </AdminButton>
    </div>
  );
};
