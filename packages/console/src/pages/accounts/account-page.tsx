import { Button, Container, KeyValuePairs, Link } from '@cloudscape-design/components';
import { Outlet } from '@tanstack/react-router';
import { nameIn } from '../../api/paths.ts';
import { isMissing } from '../../api/problem.ts';
import { useAccount, useAccountName } from '../../api/reads.ts';
import type { Account } from '../../api/resources.ts';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';

/** The pages of an account, unless it does not exist. */
export const KnownAccount = () =>
  isMissing(useAccount().error) ? (
    <Page title="Account not found" hasBreadcrumbs={false}>
      <Empty
        title="This account does not exist"
        action={<Link href="/">Go to the start page</Link>}
      >
        It was removed, or it belongs to another organisation.
      </Empty>
    </Page>
  ) : (
    <Outlet />
  );

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
