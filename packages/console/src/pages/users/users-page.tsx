import { Badge, Box, Container, Header, SpaceBetween } from '@cloudscape-design/components';
import { useAccountName, useMe, useUsers } from '../../api/reads.ts';
import type { User } from '../../api/resources.ts';
import { type Columns, DataTable } from '../../shared/data-table.tsx';
import { Empty } from '../../shared/empty.tsx';
import { Instant } from '../../shared/instant.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { roleInWords } from '../../shared/roles.ts';
import { Page } from '../../shell/page.tsx';

export const UsersPage = () => {
  const account = useAccountName();
  const { data: me } = useMe();
  return (
    <Page title="Users" description={`People who can sign in as users of ${account}.`}>
      <SpaceBetween size="l">
        <Loaded query={useUsers()} what="The users">
          {(users) => (
            <DataTable
              label="Users"
              items={users}
              columns={columnsOf(me?.user)}
              empty={<Empty title="No users yet">The account works without any: see below.</Empty>}
            />
          )}
        </Loaded>
        <Container header={<Header variant="h2">Add a user</Header>}>
          <SpaceBetween size="s">
            <Box>
              Ask the operator of this service to add or remove a user of {account}. Tell them the
              e-mail address that the user signs in with, and the role. A removed user loses access
              within a minute.
            </Box>
            <Box color="text-body-secondary">
              Only a user of the organisation’s own account can be an admin. Members can see
              everything and change nothing.
            </Box>
          </SpaceBetween>
        </Container>
      </SpaceBetween>
    </Page>
  );
};

const columnsOf = (self: string | undefined): Columns<User> => [
  {
    id: 'name',
    header: 'Name',
    minWidth: 180,
    cell: ({ id, name }) => (
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <span>{name}</span>
        {id === self && <Badge color="blue">You</Badge>}
      </SpaceBetween>
    ),
  },
  { id: 'role', header: 'Role', minWidth: 100, cell: ({ role }) => roleInWords(role) },
  {
    id: 'created',
    header: 'Created',
    minWidth: 130,
    cell: ({ createdAt }) => <Instant at={createdAt} />,
  },
];
