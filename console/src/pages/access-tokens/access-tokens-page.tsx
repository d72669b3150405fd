import { useState } from 'react';
import { useAccessTokens, useAccountName } from '../../api/reads.ts';
import { AdminButton } from '../../shared/admin-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { TokenTable } from './token-table.tsx';

export const AccessTokensPage = () => {
  const account = useAccountName();
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Access tokens"
      description="Programs call the API with an access token. A token does what its role allows, until it is revoked."
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

const Tokens = ({ account }: { account: string }) => (
  <Loaded query={useAccessTokens(account)} what="The access tokens">
    {(tokens) => <TokenTable account={account} tokens={tokens} />}
  </Loaded>
);
