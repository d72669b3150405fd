import { createRequire } from 'node:module';
import * as z from 'zod';
import { AwsError } from './aws-request.ts';
import { type DynaliteError, operations, type Store } from './dynalite-internals.ts';

const require = createRequire(import.meta.url);

const { checkConditional, createKey } = require('dynalite/db');

const inputSchema = z.object({
  TransactItems: z
    .array(
      z.union([
        z.strictObject({ Put: z.looseObject({ TableName: z.string() }) }),
        z.strictObject({ ConditionCheck: z.looseObject({ TableName: z.string() }) }),
      ]),
    )
    .min(1)
    .max(100),
});

interface Part {
  readonly TableName: string;
  readonly Item?: object;
  readonly Key?: object;
}

/** TransactWriteItems, of puts and checks. Between the first check and the last put nothing else runs. */
export const transactWrite = async (input: unknown, store: Store): Promise<object> => {
  const { data } = inputSchema.safeParse(input);
  if (data === undefined) {
    throw new AwsError('ValidationException', 'Only puts and condition checks are emulated.');
  }
  const parts = data.TransactItems.map((part) =>
    'Put' in part
      ? checked('PutItem', part.Put, store)
      : // Its input is that of a deletion.
        checked('DeleteItem', part.ConditionCheck, store),
  );
  const tables = await Promise.all(parts.map(({ TableName }) => tableNamed(store, TableName)));
  const writes = parts.map((part, index) => {
    const items = store.getItemDb(part.TableName);
    const key: string = createKey(part.Item ?? part.Key, tables[index]);
    let stored: object | undefined;
    items.get(key, (_fault, item) => {
      stored = item;
    });
    const isMet = checkConditional(part, stored) == null;
    const put = (item: object) => items.put(key, item, () => {});
    return { isMet, write: () => part.Item && put(part.Item) };
  });
  if (writes.some(({ isMet }) => !isMet)) throw cancelled(writes.map(({ isMet }) => isMet));
  for (const { write } of writes) write();
  return {};
};

const checked = (name: string, input: object, store: Store): Part => {
  const operation = operations.get(name);
  if (!operation) throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
  return operation.check(input, store) as Part;
};

const tableNamed = (store: Store, name: string): Promise<object> =>
  new Promise((resolve, reject) => {
    store.getTable(name, (fault, table) => (table ? resolve(table) : reject(fault)));
  });

const cancelled = (met: readonly boolean[]): DynaliteError => {
  const codes = met.map((isMet) => (isMet ? 'None' : 'ConditionalCheckFailed'));
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`;
  return Object.assign(new Error(message), {
    statusCode: 400,
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message: message,
      CancellationReasons: codes.map((Code) => ({ Code })),
    },
  });
};
