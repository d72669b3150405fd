import {
  type DynamoDBDocumentClient,
  ExecuteStatementCommand,
  type ExecuteStatementCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Subscription, Subscriptions } from '../../../core/integration/integration-store.ts';
import { asError, type Calls, gatheredCalls } from '../../gathered-calls.ts';
import { DynamoDbTable } from '../table/table.ts';

type SubscriptionItem = Subscription & { readonly account: string };

/** Of each account that has any. */
type SubscriptionItems = ReadonlyMap<string, readonly SubscriptionItem[]>;

/** The members of `SubscriptionItem`. */
const ATTRIBUTES = ['account', 'id', 'active', 'inactiveSince', 'settings', 'slowness'] as const;

/**
 * DynamoDB returns up to 10 integrations with each page, and the pages come one after the other. More
 * than 40 integrations are read sooner by a query of each account, side by side.
 */
const MAX_PAGES = 4;

interface Hooks {
  /** The accounts of a batch were not read at once, and are queried one by one. */
  readonly onUnreadAtOnce: (fault: unknown) => void;
}

/**
 * Reads table Integrations. One statement reads the accounts of a batch of events, up to 50: it takes
 * as many read units as a query of each account, but one call for 10 integrations. If it has more
 * than `MAX_PAGES`, or fails, as when one account's partition is throttled, each account is queried
 * by itself.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html
 */
export class DynamoDbSubscriptions extends DynamoDbTable implements Subscriptions {
  readonly ofAccount = gatheredCalls(
    (accounts: Calls<string>) => this.#ofAccounts(accounts),
    () => 'of all accounts',
  );
  readonly #hooks: Hooks;

  constructor(client: DynamoDBDocumentClient, table: string, hooks: Hooks) {
    super(client, table);
    this.#hooks = hooks;
  }

  async #ofAccounts(
    accounts: readonly string[],
  ): Promise<readonly (readonly Subscription[] | Error)[]> {
    const distinct = [...new Set(accounts)];
    const atOnce = distinct.length > 1 ? await this.#selectOrReport(distinct) : undefined;
    const lists = new Map(
      await Promise.all(
        distinct.map(async (account) => {
          const list =
            atOnce?.get(account) ?? (atOnce ? [] : await this.#query(account).catch(asError));
          return [account, list] as const;
        }),
      ),
    );
    return accounts.map((account) => lists.get(account) ?? []);
  }

  async #selectOrReport(accounts: string[]): Promise<SubscriptionItems | undefined> {
    try {
      return await this.#select(accounts);
    } catch (fault) {
      this.#hooks.onUnreadAtOnce(fault);
      return undefined;
    }
  }

  /** Undefined if there are more than `MAX_PAGES`. */
  async #select(accounts: string[]): Promise<SubscriptionItems | undefined> {
    const statement = {
      Statement: `SELECT ${ATTRIBUTES.map((name) => `"${name}"`).join(', ')} FROM "${this.table}" WHERE "account" IN [${accounts.map(() => '?').join(', ')}]`,
      Parameters: accounts,
      ConsistentRead: true,
    };
    const items: SubscriptionItem[] = [];
    let NextToken: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page: ExecuteStatementCommandOutput = await this.client.send(
        new ExecuteStatementCommand({ ...statement, NextToken }),
      );
      items.push(...((page.Items ?? []) as SubscriptionItem[]));
      NextToken = page.NextToken;
      if (NextToken === undefined) return Map.groupBy(items, ({ account }) => account);
    }
    return undefined;
  }

  async #query(account: string): Promise<readonly Subscription[]> {
    const subscriptions: Subscription[] = [];
    const pages = this.queryPages({
      KeyConditionExpression: 'account = :account',
      ExpressionAttributeValues: { ':account': account },
      ProjectionExpression: ATTRIBUTES.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(ATTRIBUTES.map((name) => [`#${name}`, name])),
    });
    for await (const { Items = [] } of pages) subscriptions.push(...(Items as SubscriptionItem[]));
    return subscriptions;
  }
}
