import { useCollection } from '@cloudscape-design/collection-hooks';
import {
  Badge,
  FormField,
  Link,
  SpaceBetween,
  Table,
  TextFilter,
} from '@cloudscape-design/components';
import { useAccounts } from '../../api/reads.ts';
import type { Account } from '../../api/resources.ts';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { useWidth } from '../../shared/width.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';

export const AccountsPage = () => (
  <Page
    title="Accounts"
    description="Your organisation’s account is at the top, and its other accounts are below. Webhooks belong to the organisation."
  >
    <Loaded query={useAccounts()} what="The accounts">
      {(accounts) => <AccountTree accounts={accounts} />}
    </Loaded>
  </Page>
);

const AccountTree = ({ accounts }: { accounts: readonly Account[] }) => {
  const [place, width] = useWidth();
  const { items, collectionProps, filterProps, filteredItemsCount } = useCollection(accounts, {
    filtering: {
      fields: ['name'],
      noMatch: (
        <Empty title="No accounts found">Search for a part of the name, or clear the field.</Empty>
      ),
    },
    sorting: {},
    expandableRows: {
      getId: ({ id }) => id,
      getParentId: ({ parent }) => parent ?? null,
      defaultExpandedItems: accounts,
    },
  });
  return (
    <div ref={place}>
      <Table
        {...collectionProps}
        items={items}
        trackBy="id"
        ariaLabels={{
          tableLabel: 'Accounts',
          expandButtonLabel: ({ name }) => `Show the accounts below ${name}`,
          collapseButtonLabel: ({ name }) => `Hide the accounts below ${name}`,
        }}
        columnDefinitions={[
          {
            id: 'name',
            header: 'Account',
            isRowHeader: true,
            minWidth: 120,
            cell: ({ name, isOrganisation }) => (
              <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                <span>{name}</span>
                {isOrganisation && <Badge color="blue">Organisation</Badge>}
              </SpaceBetween>
            ),
          },
          { id: 'created', header: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
          {
            id: 'view',
            header: 'Details',
            cell: ({ name }) => <Link href={PLACES.account(name)}>View</Link>,
          },
        ]}
        visibleColumns={width < 480 ? ['name', 'view'] : ['name', 'created', 'view']}
        filter={
          <FormField label="Name">
            <TextFilter
              {...filterProps}
              filteringClearAriaLabel="Clear"
              countText={filteredItemsCount === 1 ? '1 account' : `${filteredItemsCount} accounts`}
            />
          </FormField>
        }
      />
    </div>
  );
};
