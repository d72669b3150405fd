import { Button, Container, KeyValuePairs, Link } from '@cloudscape-design/components';
import { nameIn } from '../../api/paths.ts';
import { useAccount, useAccountName } from '../../api/reads.ts';
import type { Account } from '../../api/resources.ts';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';

export const AccountPage = () => {
  const name = useAccountName();
  return (
    <Page
      title={name}
      description="See Settings for webhooks, access tokens and users."
      actions={
        <Button iconName="settings" href={PLACES.settings(name)} variant="primary">
          Settings
        </Button>
      }
    >
      <Loaded query={useAccount()} what="The account">
        {(account) => <AccountDetails account={account} />}
      </Loaded>
    </Page>
  );
};

const AccountDetails = ({ account: { parent, createdAt } }: { account: Account }) => (
  <Container>
    <KeyValuePairs
      columns={3}
      items={[
        {
          label: 'Kind',
          value: parent === undefined ? 'Organisation' : 'Account of the organisation',
        },
        {
          label: 'Belongs to',
          value:
            parent === undefined ? (
              'Top of the hierarchy'
            ) : (
              <Link href={PLACES.account(nameIn(parent))}>{nameIn(parent)}</Link>
            ),
        },
        { label: 'Created', value: <Instant at={createdAt} /> },
      ]}
    />
  </Container>
);
