import { Button, FormField, Link, Select, SpaceBetween } from '@cloudscape-design/components';
import { nameIn } from '../api/paths.ts';
import { useAccessTokens, useAccountName, useChanges } from '../api/reads.ts';
import type { Change, Integration } from '../api/resources.ts';
import { PLACES } from '../shell/places.ts';
import { Breakable } from './breakable.tsx';
import {
  actorInWords,
  CHANGE_KINDS,
  type ChangeFilter,
  changeInWords,
  kindInWords,
  webhooksToChoose,
} from './change-words.ts';
import { type Columns, DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { Instant } from './instant.tsx';
import { Loaded } from './loaded.tsx';
import { Sign } from './sign.tsx';
import { webhookName } from './webhook-name.ts';

interface ActivityProps {
  readonly filter: ChangeFilter;
  readonly onFilter: (filter: ChangeFilter) => void;
  /** The webhooks of the account, if the list is not of one webhook alone. */
  readonly webhooks?: readonly Integration[];
}

/** The changes of the webhooks of an account, or of one of them. */
export const Activity = ({ filter, onFilter, webhooks }: ActivityProps) => {
  const account = useAccountName();
  const query = useChanges(filter);
  const isFiltered =
    filter.kind !== undefined || (webhooks !== undefined && filter.integration !== undefined);
  const empty = isFiltered ? (
    <Empty
      title={query.hasNextPage ? 'Nothing matches so far' : 'Nothing matches the filters'}
      action={<Button onClick={() => onFilter({})}>Clear filters</Button>}
    >
      Choose another kind of change{webhooks && ' or another webhook'}.
    </Empty>
  ) : (
    <Empty title="Nothing has happened yet">
      Changes of settings, failures and recoveries appear here.
    </Empty>
  );
  return (
    <section aria-label="Activity">
      <SpaceBetween size="s">
        <Filters changes={query.data ?? []} {...{ filter, onFilter, webhooks }} />
        <Loaded query={query} what="The activity">
          {(changes) => (
            <>
              <DataTable
                label="Activity"
                items={changes}
                columns={columnsOf(account, webhooks)}
                card={cardOf(account, webhooks)}
                empty={empty}
              />
              {query.hasNextPage && (
                <div className="more">
                  <Button
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {changes.length > 0 ? 'Load more' : 'Search further back'}
                  </Button>
                </div>
              )}
            </>
          )}
        </Loaded>
      </SpaceBetween>
    </section>
  );
};

const ALL_KINDS = { value: '', label: 'All changes' };
const KINDS = [
  ALL_KINDS,
  ...CHANGE_KINDS.map((kind) => ({ value: kind, label: kindInWords(kind) })),
];

const ALL_WEBHOOKS = { value: '', label: 'All webhooks' };

interface FiltersProps extends ActivityProps {
  readonly changes: readonly Change[];
}

const Filters = ({ filter, onFilter, webhooks, changes }: FiltersProps) => {
  const choices = [ALL_WEBHOOKS, ...webhooksToChoose(webhooks ?? [], changes, filter.integration)];
  return (
    <div className="filters">
      {webhooks && (
        <div className="address-filter">
          <FormField stretch label="Webhook">
            <Select
              options={choices}
              filteringType="auto"
              filteringAriaLabel="Find a webhook by its URL"
              noMatch="No webhook has this in its URL"
              selectedOption={
                choices.find(({ value }) => value === filter.integration) ?? ALL_WEBHOOKS
              }
              onChange={({ detail }) =>
                onFilter({ ...filter, integration: detail.selectedOption.value || undefined })
              }
            />
          </FormField>
        </div>
      )}
      <FormField label="Kind of change">
        <Select
          options={KINDS}
          selectedOption={KINDS.find(({ value }) => value === filter.kind) ?? ALL_KINDS}
          onChange={({ detail }) =>
            onFilter({
              ...filter,
              kind: CHANGE_KINDS.find((kind) => kind === detail.selectedOption.value),
            })
          }
        />
      </FormField>
      <span className="quiet beside-field">Newest first. Kept for 400 days.</span>
    </div>
  );
};

const columnsOf = (
  account: string,
  webhooks: readonly Integration[] | undefined,
): Columns<Change> => [
  { id: 'change', header: 'Change', minWidth: 300, cell: (change) => <Words change={change} /> },
  ...(webhooks === undefined
    ? []
    : [
        {
          id: 'webhook',
          header: 'Webhook',
          minWidth: 200,
          cell: (change: Change) => (
            <Webhook
              account={account}
              change={change}
              webhook={webhooks.find(({ id }) => id === change.integration)}
            />
          ),
        },
      ]),
  { id: 'by', header: 'By', minWidth: 150, cell: ({ by }) => <By by={by} /> },
  { id: 'when', header: 'When', minWidth: 130, cell: ({ at }) => <Instant at={at} /> },
];

/** On a phone: the change and its time, and below where and by whom. */
const cardOf = (account: string, webhooks: readonly Integration[] | undefined) => ({
  header: (change: Change) => (
    <div className="card-head">
      <div>
        <Words change={change} />
      </div>
      <span className="detail nowrap">
        <Instant at={change.at} />
      </span>
    </div>
  ),
  content: (change: Change) => (
    <div className="card-line">
      {webhooks && (
        <Webhook
          account={account}
          change={change}
          webhook={webhooks.find(({ id }) => id === change.integration)}
        />
      )}
      <By by={change.by} isShort />
    </div>
  ),
});

const Words = ({ change }: { change: Change }) => {
  const { sign, words, details } = changeInWords(change);
  return (
    <>
      <Sign type={sign}>{words}</Sign>
      {details.map((detail) => (
        <div key={detail} className="detail">
          <Breakable>{detail}</Breakable>
        </div>
      ))}
    </>
  );
};

interface WebhookProps {
  readonly account: string;
  readonly change: Change;
  /** Undefined once it is deleted. */
  readonly webhook: Integration | undefined;
}

const Webhook = ({
  account,
  change: { integration, baseUrl, description },
  webhook,
}: WebhookProps) =>
  webhook === undefined ? (
    <>
      {description ?? <Breakable>{baseUrl}</Breakable>}
      <div className="detail">Deleted</div>
    </>
  ) : (
    <Link href={PLACES.webhook(account, nameIn(integration))}>
      <Breakable>{webhookName(webhook)}</Breakable>
    </Link>
  );

/** `isShort`: in one line, without the id of a token that has a name. */
const By = ({ by, isShort = false }: Pick<Change, 'by'> & { isShort?: boolean }) => {
  const { who, token } = actorInWords(by);
  if (isShort) {
    return (
      <span>
        {who}
        {token !== undefined && (
          <span className="detail">
            {' · '}
            {token.startsWith('ses_') ? 'console link' : <TokenLink id={token} />}
          </span>
        )}
      </span>
    );
  }
  return (
    <>
      {who}
      {token !== undefined && <Token id={token} />}
    </>
  );
};

const Token = ({ id }: { id: string }) =>
  // The session of a console link is in no list of tokens.
  id.startsWith('ses_') ? (
    <div className="detail address">Through a console link ({id})</div>
  ) : (
    <ListedToken id={id} />
  );

/** By its name, unless it left the list after it was revoked. */
const ListedToken = ({ id }: { id: string }) => (
  <div className="detail address">
    With token <TokenLink id={id} />
    {useTokenName(id) !== undefined && ` (${id})`}
  </div>
);

const TokenLink = ({ id }: { id: string }) => (
  <Link href={PLACES.accessTokens(useAccountName())}>{useTokenName(id) ?? id}</Link>
);

const useTokenName = (id: string): string | undefined => {
  const { data: tokens = [] } = useAccessTokens();
  return tokens.find((token) => nameIn(token.id) === id)?.name;
};
