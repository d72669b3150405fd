import { Box } from '@cloudscape-design/components';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { nameIn, tokensPath } from '../../api/paths.ts';
import { QUERIES, useAccessTokens, useAccountName } from '../../api/reads.ts';
import type { AccessToken } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { ConfirmDialog } from '../../shared/dialog.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { hoursAgoInWords } from '../../shared/instant-words.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { roleInWords } from '../../shared/roles.ts';
import { Sign } from '../../shared/sign.tsx';
import { tell } from '../../shell/notices.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { endOf } from './token-end.ts';

export const AccessTokensPage = () => {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Access tokens"
      description="Programs call the API with an access token. A token does what its role allows, until it expires or is revoked."
      actions={
        <AdminButton variant="primary" onClick={() => setCreating(true)}>
          Create token
        </AdminButton>
      }
    >
      <OrganisationOnly what="Access tokens" place={PLACES.accessTokens}>
        <Tokens />
      </OrganisationOnly>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Page>
  );
};

const Tokens = () => {
  const [revoking, setRevoking] = useState<AccessToken>();
  return (
    <Loaded query={useAccessTokens()} what="The access tokens">
      {(tokens) => (
        <>
          <DataTable
            label="Access tokens"
            items={tokens}
            columns={columnsOf(setRevoking)}
            card={cardOf(setRevoking)}
            empty={
              <Empty title="No access tokens yet">
                Create one for each program that calls the API, so that each can be revoked alone.
              </Empty>
            }
          />
          {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
        </>
      )}
    </Loaded>
  );
};

const columnsOf = (onRevoke: (token: AccessToken) => void): Columns<AccessToken> => [
  {
    id: 'name',
    header: 'Name',
    minWidth: 180,
    cell: ({ id, name }) => (
      <>
        {name}
        <div className="detail address">{nameIn(id)}</div>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 130,
    cell: (token) => <Status token={token} />,
  },
  { id: 'role', header: 'Role', minWidth: 100, cell: ({ role }) => roleInWords(role) },
  { id: 'user', header: 'User', minWidth: 110, cell: ({ user }) => nameIn(user) },
  {
    id: 'created',
    header: 'Created',
    minWidth: 130,
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
  {
    id: 'used',
    header: 'Last used',
    minWidth: 130,
    cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
  },
  {
    id: 'revoke',
    header: 'Action',
    minWidth: 110,
    cell: (token) => <Revocation token={token} onRevoke={onRevoke} />,
  },
];

/** On a phone: the name and the status, and below whose it is, its last use and the action. */
const cardOf = (onRevoke: (token: AccessToken) => void) => ({
  header: (token: AccessToken) => (
    <div className="card-head">
      <div>{token.name}</div>
      <div>
        <Status token={token} />
      </div>
    </div>
  ),
  content: (token: AccessToken) => (
    <div className="card-head">
      <div className="detail">
        {roleInWords(token.role)} · {nameIn(token.user)} · used: <LastUsed at={token.lastUsedAt} />
        <div className="address">
          {nameIn(token.id)} · created <Instant at={token.createdAt} />
        </div>
      </div>
      <Revocation token={token} onRevoke={onRevoke} />
    </div>
  ),
});

interface RevocationProps {
  readonly token: AccessToken;
  readonly onRevoke: (token: AccessToken) => void;
}

/** The button, or when the token has ended. */
const Revocation = ({ token, onRevoke }: RevocationProps) => {
  const end = endOf(token, new Date());
  return end === undefined ? (
    <AdminButton
      variant="inline-link"
      ariaLabel={`Revoke ${token.name}`}
      onClick={() => onRevoke(token)}
    >
      Revoke
    </AdminButton>
  ) : (
    <Instant at={end.at} />
  );
};

const Status = ({ token }: { token: AccessToken }) => {
  const end = endOf(token, new Date());
  return (
    <>
      <span className="nowrap">
        <Sign type={end ? 'stopped' : 'success'}>{end?.how ?? 'In force'}</Sign>
      </span>
      {end === undefined && token.expiresAt !== undefined && (
        <div className="detail">
          until <Instant at={token.expiresAt} />
        </div>
      )}
    </>
  );
};

/** Uses are noted once an hour. */
const LastUsed = ({ at }: { at: string | undefined }) => {
  if (at === undefined) return 'Never';
  return <time dateTime={at}>{hoursAgoInWords(at, new Date())}</time>;
};

const RevokeDialog = ({ token, onClose }: { token: AccessToken; onClose: () => void }) => {
  const account = useAccountName();
  const api = useApi();
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => api.delete(`${tokensPath(account)}/${encodeURIComponent(nameIn(token.id))}`),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: QUERIES.accessTokens(account) });
      tell({ type: 'success', text: `The token ${token.name} is revoked.` });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}?`}
      confirm="Revoke"
      change={revoking}
      onClose={onClose}
    >
      <Box>Programs that use it lose access within a minute. You cannot undo this.</Box>
    </ConfirmDialog>
  );
};
