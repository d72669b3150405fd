import { createRequire } from 'node:module';
import * as z from 'zod';
import { AwsError } from './aws-request.ts';
import { type DynaliteError, operations, type Store } from './dynalite-internals.ts';

const require = createRequire(import.meta.url);

const { checkConditional, createKey } = require('dynalite/db');

/** The operation whose input each part has. */
const OPERATIONS = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'DeleteItem',
} as const;

type Kind = keyof typeof OPERATIONS;

const inputSchema = z.object({
  TransactItems: z
    .array(
      z.partialRecord(z.enum(['Put', 'Update', 'Delete', 'ConditionCheck']), z.looseObject({})),
    )
    .min(1)
    .max(100),
});

interface Part {
  readonly TableName: string;
  readonly Item?: object;
  readonly Key?: object;
  readonly _updates?: { readonly sections: readonly Section[] };
}

interface Section {
  readonly type: string;
  readonly path: readonly (string | number)[];
  readonly val: unknown;
}

/** TransactWriteItems. Between the first check and the last write nothing else runs. */
export const transactWrite = async (input: unknown, store: Store): Promise<object> => {
  const parts = inputSchema
    .parse(input)
    .TransactItems.flatMap((one) => Object.entries(one) as [Kind, object][])
    .map(([kind, part]) => ({ kind, part: checked(OPERATIONS[kind], part, store) }));
  const tables = await Promise.all(parts.map(({ part }) => tableNamed(store, part.TableName)));
  const writes = parts.map(({ kind, part }, index) => {
    const items = store.getItemDb(part.TableName);
    const key: string = createKey(part.Item ?? part.Key, tables[index]);
    let stored: object | undefined;
    items.get(key, (_fault, item) => {
      stored = item;
    });
    const isMet = checkConditional(part, stored) == null;
    const write = {
      Put: () => items.put(key, part.Item ?? {}, () => {}),
      Update: () => items.put(key, { ...part.Key, ...stored, ...valuesSetBy(part) }, () => {}),
      Delete: () => items.del(key, () => {}),
      ConditionCheck: () => {},
    }[kind];
    return { isMet, write };
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

const valuesSetBy = ({ _updates: { sections } = { sections: [] } }: Part): object =>
  Object.fromEntries(
    sections.map(({ type, path: [name, ...inner], val }) => {
      if (type === 'set' && inner.length === 0 && isLiteral(val)) return [name, val];
      throw new AwsError('ValidationException', 'Only SET name = :value is emulated here.');
    }),
  );

/** A value of DynamoDB, such as `{ "S": "text" }`; a function has a `type`, a path is a list. */
const isLiteral = (val: unknown): boolean =>
  typeof val === 'object' && val !== null && !Array.isArray(val) && !('type' in val);

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
