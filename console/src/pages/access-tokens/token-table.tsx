import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { nameIn } from '../../api/paths.ts';
import type { AccessToken } from '../../api/resources.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';

export const TokenTable = ({
  account,
  tokens,
}: {
  account: string;
  tokens: readonly AccessToken[];
}) => {
  const [revoking, setRevoking] = useState<AccessToken>();
  return (
    <>
      <DataTable
        label="Access tokens"
        items={tokens}
        columns={columnsOf(setRevoking)}
        empty={
          <Empty title="No access tokens yet">
            Create one for each program that calls the API, so that each can be revoked alone.
          </Empty>
        }
      />
      {revoking && (
        <RevokeTokenDialog
          account={account}
          token={revoking}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
};

const columnsOf = (
  onRevoke: (token: AccessToken) => void,
): [Column<AccessToken>, ...Column<AccessToken>[]] => [
  { id: 'name', header: 'Name', minWidth: 180, cell: ({ name }) => name },
  {
    id: 'status',
    header: 'Status',
    cell: ({ revokedAt }) => (
      <span className="nowrap">
        {revokedAt === undefined ? (
          <StatusIndicator>In force</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">Revoked</StatusIndicator>
        )}
      </span>
    ),
  },
  { id: 'role', header: 'Role', cell: ({ role }) => (role === 'admin' ? 'Admin' : 'Member') },
  { id: 'user', header: 'User', cell: ({ user }) => nameIn(user) },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'Never' : <Instant at={lastUsedAt} />),
  },
  {
    id: 'revoke',
    header: 'Action',
    cell: (token) =>
      token.revokedAt === undefined ? (
        <AdminButton
          variant="inline-link"
          ariaLabel={`Revoke ${token.name}`}
          onClick={() => onRevoke(token)}
        >
          Revoke
        </AdminButton>
      ) : (
        <Instant at={token.revokedAt} />
      ),
  },
];
