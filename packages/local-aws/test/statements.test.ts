import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTables } from './support/tables.ts';

const NO_SUCH_TABLE = 'nothings';

/**
 * The product writes only statements that DynamoDB accepts, so that the contract tests of its
 * adapters see no refused statement.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html
 */
describe('a batch of statements of the embedded DynamoDB', () => {
  const tables = useTables();
  let TableName: string;
  beforeEach(async () => {
    TableName = await tables.createTable('pk', 'sk');
    for (const sk of ['1', '2', '3']) await put({ pk: 'a', sk, version: 'old' });
  });

  const put = (Item: Record<string, string>) =>
    tables.client.send(new PutCommand({ TableName, Item }));

  /** Statements name the table `things`. */
  const statement = (text: string, ...Parameters: string[]) => ({
    Statement: text.replace('things', TableName),
    Parameters,
  });
  const deletion = (compared: string, ...values: string[]) =>
    statement(`DELETE FROM "things" WHERE ${compared}`, ...values);
  const insertion = (item: string, ...values: string[]) =>
    statement(`INSERT INTO "things" VALUE ${item}`, ...values);

  const execute = async (...Statements: ReturnType<typeof statement>[]) => {
    const batch = new BatchExecuteStatementCommand({ Statements });
    return (await tables.client.send(batch)).Responses;
  };
  const left = async () => {
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName }));
    return Items.map(({ pk, sk, version }) => `${pk}${sk} ${version}`).toSorted();
  };

  it('deletes the items that match their statements, and no others', async () => {
    await put({ pk: 'a', sk: '2', version: 'old', color: 'red' });
    const compared = '"version" = ? AND "sk" = ? AND "pk" = ? AND "color" = ?';
    const responses = await execute(
      deletion(compared, 'old', '1', 'a', 'red'),
      deletion(compared, 'old', '2', 'a', 'red'),
      deletion('"pk" = ? AND "sk" = ? AND "version" = ?', 'a', '3', 'new'),
      deletion('"pk" = ? AND "sk" = ?', 'b', '1'),
    );
    const failed = { TableName, Error: { Code: 'ConditionalCheckFailed' } };
    expect(responses).toEqual([failed, { TableName }, failed, { TableName }]);
    expect(await left()).toEqual(['a1 old', 'a3 old']);
  });

  it('inserts each item that is not there yet, and leaves those that are', async () => {
    const item = "{'pk': ?, 'sk': ?, 'version': ?}";
    const responses = await execute(
      insertion(item, 'a', '1', 'new'),
      insertion(item, 'a', '4', 'new'),
    );
    const duplicate = { TableName, Error: { Code: 'DuplicateItem' } };
    expect(responses).toEqual([duplicate, { TableName }]);
    expect(await left()).toEqual(['a1 old', 'a2 old', 'a3 old', 'a4 new']);
  });

  it.each([
    ['a deletion with too few parameters', () => deletion('"pk" = ? AND "sk" = ?', 'a')],
    ['an insertion with too few parameters', () => insertion("{'pk': ?, 'sk': ?}", 'b')],
    ['a deletion without the whole key', () => deletion('"pk" = ?', 'a')],
    ['an insertion without the whole key', () => insertion("{'pk': ?, 'version': ?}", 'b', 'new')],
    ['an update', () => statement('UPDATE "things" SET "version" = ?', 'new')],
    ['a selection', () => statement('SELECT * FROM "things" WHERE "pk" = ?', 'a')],
    [
      'another comparison',
      () => deletion('"pk" = ? AND "sk" = ? AND "version" > ?', 'a', '1', 'a'),
    ],
  ])('refuses %s, and executes the others', async (_which, refused) => {
    expect(await execute(refused(), deletion('"pk" = ? AND "sk" = ?', 'a', '2'))).toEqual([
      { Error: { Code: 'ValidationError', Message: expect.any(String) } },
      { TableName },
    ]);
    expect(await left()).toEqual(['a1 old', 'a3 old']);
  });

  it('fails for a table that does not exist', async () => {
    const { Statement, Parameters } = deletion('"pk" = ? AND "sk" = ?', 'a', '1');
    const elsewhere = { Statement: Statement.replace(TableName, NO_SUCH_TABLE), Parameters };
    expect(await execute(elsewhere)).toEqual([
      { TableName: NO_SUCH_TABLE, Error: { Code: 'ResourceNotFound' } },
    ]);
  });

  it.each([
    ['none', 0],
    ['more than 25', 26],
  ])('is refused as a whole with %s', async (_which, count) => {
    const statements = Array(count).fill(deletion('"pk" = ? AND "sk" = ?', 'a', '1'));
    await expect(execute(...statements)).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
    expect(await left()).toHaveLength(3);
  });

  it.each([
    ['ten items', [...'123456789'], '', [10, 2]],
    ['1 MB', ['1', '2', '3', '4', '5'], 'x'.repeat(300_000), [7, 1]],
  ])(
    'ends a page of a selection after %s, and goes on within a partition',
    async (_after, sks, text, pages) => {
      for (const sk of sks) await put({ pk: 'b', sk, text });
      const selection = {
        Statement: `SELECT "pk", "sk" FROM "${TableName}" WHERE "pk" IN [?, ?, ?]`,
        Parameters: ['a', 'none', 'b'],
      };
      const read: unknown[][] = [];
      let NextToken: string | undefined;
      do {
        const command = new ExecuteStatementCommand({ ...selection, NextToken });
        const page = await tables.client.send(command);
        read.push(page.Items ?? []);
        ({ NextToken } = page);
      } while (NextToken !== undefined);
      expect(read.map(({ length }) => length)).toEqual(pages);
      const all = [
        ...['1', '2', '3'].map((sk) => ({ pk: 'a', sk })),
        ...sks.map((sk) => ({ pk: 'b', sk })),
      ];
      expect(read.flat()).toEqual(all);
    },
  );

  it.each([
    ['that compares', (table: string) => `SELECT "sk" FROM "${table}" WHERE "pk" = ?`],
    [
      'without its parameters',
      (table: string) => `SELECT "sk" FROM "${table}" WHERE "pk" IN [?, ?]`,
    ],
    [
      'of a table that does not exist',
      () => `SELECT "sk" FROM "${NO_SUCH_TABLE}" WHERE "pk" IN [?]`,
    ],
    ['by another attribute', (table: string) => `SELECT "sk" FROM "${table}" WHERE "sk" IN [?]`],
  ])('does not answer a selection %s', async (_which, statementIn) => {
    const selection = { Statement: statementIn(TableName), Parameters: ['a'] };
    await expect(tables.client.send(new ExecuteStatementCommand(selection))).rejects.toThrow();
  });
});
