import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAccessTokens } from '../../api/directory-calls.ts';
import { QUERIES } from '../../api/query-keys.ts';
import { useAccountName } from '../../api/use-account.ts';
import { useApi } from '../../console-context.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { crumbsTo, PLACES } from '../../shell/places.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { TokenTable } from './token-table.tsx';

export const AccessTokensPage = () => {
  const account = useAccountName();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Access tokens"
      description="Programs call the API with an access token. A token does what its role allows, until it is revoked."
      crumbs={crumbsTo.insideSettings(account)}
      actions={
        <AdminButton variant="primary" onClick={() => setCreating(true)}>
          Create token
        </AdminButton>
      }
    >
      <OrganisationOnly what="Access tokens" place={PLACES.accessTokens}>
        <Tokens account={account} />
      </OrganisationOnly>
      {isCreating && <CreateTokenDialog account={account} onClose={() => setCreating(false)} />}
    </Page>
  );
};

const Tokens = ({ account }: { account: string }) => {
  const api = useApi();
  const query = useQuery({
    queryKey: QUERIES.accessTokens(account),
    queryFn: ({ signal }) => listAccessTokens(api, account, signal),
  });
  return (
    <Loaded query={query} what="The access tokens">
      {(tokens) => <TokenTable account={account} tokens={tokens} />}
    </Loaded>
  );
};
