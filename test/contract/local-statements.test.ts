import { beforeEach, describe, expect, it } from 'vitest';
import { createTables, type Tables } from '../../local/aws/tables.ts';

const TABLE = 'things';
const SIGNED = {
  'x-amz-date': '20261120T000000Z',
  authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b',
};
const BY_KEY = `DELETE FROM "${TABLE}" WHERE "pk" = ? AND "sk" = ?`;
const INSERT = `INSERT INTO "${TABLE}" VALUE {'pk': ?, 'sk': ?, 'version': ?}`;
const BY_VERSION = `${BY_KEY} AND "version" = ?`;

const aThing = (pk: string, sk: string, version: string) => ({
  pk: { S: pk },
  sk: { S: sk },
  version: { S: version },
});

const statement = (Statement: string, ...values: readonly string[]) => ({
  Statement,
  Parameters: values.map((S) => ({ S })),
});

/**
 * As AWS's pages tell of DELETE and INSERT in PartiQL, of BatchExecuteStatement and of
 * BatchStatementError.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html
 */
describe('a batch of statements of the embedded DynamoDB', () => {
  let tables: Tables;
  beforeEach(async () => {
    tables = createTables();
    await tables.create({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
    for (const sk of ['1', '2', '3']) await call('PutItem', { Item: aThing('a', sk, 'old') });
  });

  const call = async (operation: string, input: object) => {
    const { body } = await tables.handle({
      headers: { ...SIGNED, 'x-amz-target': `DynamoDB_20120810.${operation}` },
      input: JSON.parse(JSON.stringify({ TableName: TABLE, ...input })),
    });
    return JSON.parse(String(body));
  };
  const execute = (...Statements: readonly object[]) =>
    call('BatchExecuteStatement', { TableName: undefined, Statements });
  const versions = async (): Promise<Record<string, string>> => {
    const { Items } = await call('Scan', {});
    return Object.fromEntries(
      Items.map(({ pk, sk, version }: ReturnType<typeof aThing>) => [pk.S + sk.S, version.S]),
    );
  };
  const left = async () => {
    const { Items } = await call('Scan', {});
    return Items.map(({ sk }: { sk: { S: string } }) => sk.S).toSorted();
  };

  it('deletes the items of its statements', async () => {
    const { Responses } = await execute(
      statement(BY_KEY, 'a', '1'),
      statement(BY_VERSION, 'a', '3', 'old'),
    );
    expect(Responses).toEqual([{ TableName: TABLE }, { TableName: TABLE }]);
    expect(await left()).toEqual(['2']);
  });

  it('tells of each item that is not as its statement says, and deletes the others', async () => {
    const { Responses } = await execute(
      statement(BY_VERSION, 'a', '1', 'new'),
      statement(BY_VERSION, 'a', '2', 'old'),
    );
    expect(Responses).toEqual([
      { TableName: TABLE, Error: { Code: 'ConditionalCheckFailed' } },
      { TableName: TABLE },
    ]);
    expect(await left()).toEqual(['1', '3']);
  });

  it('succeeds for an item that is not there', async () => {
    const { Responses } = await execute(statement(BY_VERSION, 'b', '1', 'old'));
    expect(Responses).toEqual([{ TableName: TABLE }]);
  });

  it.each(['a', 'b'])('refuses a wrong value, whether or not there is an item', async (pk) => {
    const { Statement, Parameters } = statement(BY_VERSION, pk, '1');
    const { Responses } = await execute({ Statement, Parameters: [...Parameters, { N: 'one' }] });
    expect(Responses).toEqual([{ TableName: TABLE, Error: { Code: 'ValidationError' } }]);
  });

  it('deletes only an item that is in everything as its statement says', async () => {
    const compared = `${BY_VERSION} AND "color" = ?`;
    await call('PutItem', { Item: { ...aThing('a', '2', 'old'), color: { S: 'red' } } });
    const { Responses } = await execute(
      statement(compared, 'a', '1', 'old', 'red'),
      statement(compared, 'a', '2', 'old', 'red'),
    );
    expect(Responses).toEqual([
      { TableName: TABLE, Error: { Code: 'ConditionalCheckFailed' } },
      { TableName: TABLE },
    ]);
    expect(await left()).toEqual(['1', '3']);
  });

  it('takes the conditions in any order', async () => {
    await execute(
      statement(
        `DELETE FROM "${TABLE}" WHERE "version" = ? AND "sk" = ? AND "pk" = ?`,
        'old',
        '2',
        'a',
      ),
    );
    expect(await left()).toEqual(['1', '3']);
  });

  it('inserts the items of its statements', async () => {
    const { Responses } = await execute(
      statement(INSERT, 'a', '4', 'new'),
      statement(INSERT, 'b', '1', 'new'),
    );
    expect(Responses).toEqual([{ TableName: TABLE }, { TableName: TABLE }]);
    expect(await versions()).toEqual({ a1: 'old', a2: 'old', a3: 'old', a4: 'new', b1: 'new' });
  });

  it('tells of each item that is there already and stays, and inserts the others', async () => {
    const { Responses } = await execute(
      statement(INSERT, 'a', '1', 'new'),
      statement(INSERT, 'a', '4', 'new'),
    );
    expect(Responses).toEqual([
      { TableName: TABLE, Error: { Code: 'DuplicateItem' } },
      { TableName: TABLE },
    ]);
    expect(await versions()).toEqual({ a1: 'old', a2: 'old', a3: 'old', a4: 'new' });
  });

  it('inserts no item with a wrong value', async () => {
    const { Statement, Parameters } = statement(INSERT, 'b', '1');
    const { Responses } = await execute({ Statement, Parameters: [...Parameters, { N: 'one' }] });
    expect(Responses).toEqual([{ TableName: TABLE, Error: { Code: 'ValidationError' } }]);
    expect(await left()).toEqual(['1', '2', '3']);
  });

  it.each([
    ['with too few parameters', statement(BY_VERSION, 'a', '1')],
    ['of an item with too few parameters', statement(INSERT, 'b', '1')],
    [
      'of an item without the whole key',
      statement(`INSERT INTO "${TABLE}" VALUE {'pk': ?, 'version': ?}`, 'b', 'new'),
    ],
    ['that changes an item', statement(`UPDATE "${TABLE}" SET "version" = ?`, 'new')],
    ['without the whole key', statement(`DELETE FROM "${TABLE}" WHERE "pk" = ?`, 'a')],
    ['of another form', statement(`SELECT * FROM "${TABLE}" WHERE "pk" = ?`, 'a')],
    ['that compares otherwise', statement(`${BY_KEY} AND "version" > ?`, 'a', '1', 'a')],
  ])('refuses a statement %s, and takes the others', async (_which, refused) => {
    const { Responses } = await execute(refused, statement(BY_KEY, 'a', '2'));
    expect(Responses).toEqual([
      { Error: { Code: 'ValidationError', Message: expect.any(String) } },
      { TableName: TABLE },
    ]);
    expect(await left()).toEqual(['1', '3']);
  });

  it('says of a table that it is not there', async () => {
    const { Responses } = await execute(statement(BY_KEY.replace(TABLE, 'nothings'), 'a', '1'));
    expect(Responses).toEqual([{ TableName: 'nothings', Error: { Code: 'ResourceNotFound' } }]);
  });

  it.each([
    ['none', []],
    ['more than 25', Array.from({ length: 26 }, () => statement(BY_KEY, 'a', '1'))],
    ['some without parameters', [{ Statement: BY_KEY, Parameters: [] }]],
  ])('is refused with %s', async (_which, statements) => {
    await expect(execute(...statements)).rejects.toMatchObject({ code: 'ValidationException' });
    expect(await left()).toEqual(['1', '2', '3']);
  });
});
