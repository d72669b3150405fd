import { ExecuteStatementCommand, type ExecuteStatementCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Subscription, Subscriptions } from '../../core/integration/integration-store.ts';
import { asError, type Calls, gatheredCalls } from '../gathered-calls.ts';
import { DynamoDbTable } from './dynamodb-table.ts';

type SubscriptionItem = Subscription & { readonly account: string };

/** The members of `SubscriptionItem`. */
const ATTRIBUTES = ['account', 'id', 'active', 'settings', 'slowness'] as const;

/**
 * Reads table Integrations. One statement reads the accounts of a batch of events: it takes as many
 * read units as a query of each account, but one call. DynamoDB takes up to 50 accounts. If the
 * statement fails, as when one account's partition is throttled, each account is queried by itself.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html
 */
export class DynamoDbSubscriptions extends DynamoDbTable implements Subscriptions {
  readonly ofAccount = gatheredCalls(
    (accounts: Calls<string>) => this.#ofAccounts(accounts),
    () => 'of all accounts',
  );

  async #ofAccounts(
    accounts: readonly string[],
  ): Promise<readonly (readonly Subscription[] | Error)[]> {
    const distinct = [...new Set(accounts)];
    const atOnce = distinct.length > 1 ? await this.#select(distinct).catch(() => {}) : undefined;
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

  async #select(accounts: string[]): Promise<ReadonlyMap<string, readonly SubscriptionItem[]>> {
    const statement = {
      Statement: `SELECT ${ATTRIBUTES.map((name) => `"${name}"`).join(', ')} FROM "${this.table}" WHERE "account" IN [${accounts.map(() => '?').join(', ')}]`,
      Parameters: accounts,
      ConsistentRead: true,
    };
    const items: SubscriptionItem[] = [];
    let NextToken: string | undefined;
    do {
      const page: ExecuteStatementCommandOutput = await this.client.send(
        new ExecuteStatementCommand({ ...statement, NextToken }),
      );
      items.push(...((page.Items ?? []) as SubscriptionItem[]));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return Map.groupBy(items, ({ account }) => account);
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
