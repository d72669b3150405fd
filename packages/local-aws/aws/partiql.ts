import * as z from 'zod';
import { AwsError } from './aws-request.ts';
import {
  type DynaliteError,
  type ItemEntry,
  type Range,
  rangeOfPartition,
} from './dynalite-internals.ts';

/** A statement of DynamoDB's PartiQL, of one of the forms that our functions write. */
export interface Statement {
  readonly verb: 'Delete' | 'Insert';
  readonly table: string;
  /** The attributes whose values are the parameters, in their order. */
  readonly attributes: readonly string[];
}

const FORMS = {
  Delete: /^DELETE FROM "([\w.-]+)" WHERE ("[\w.-]+" = \?(?: AND "[\w.-]+" = \?)*)$/,
  Insert: /^INSERT INTO "([\w.-]+)" VALUE \{('[\w.-]+': \?(?:, '[\w.-]+': \?)*)\}$/,
} as const;

/** Undefined for a statement of another form than those of `FORMS`. */
export const parseStatement = (text: unknown): Statement | undefined => {
  for (const verb of ['Delete', 'Insert'] as const) {
    const [, table, list] = FORMS[verb].exec(String(text)) ?? [];
    if (table === undefined || list === undefined) continue;
    const attributes = [...list.matchAll(/["']([^"']+)["']/g)].map(([, name = '']) => name);
    return { verb, table, attributes };
  }
  return undefined;
};

/** A selection of all items of several partitions, whose keys are the parameters. */
interface Selection {
  readonly table: string;
  readonly partitionKey: string;
  readonly attributes: readonly string[];
  /** The number of parameters. */
  readonly partitions: number;
}

const SELECTION =
  /^SELECT ("[\w.-]+"(?:, "[\w.-]+")*) FROM "([\w.-]+)" WHERE "([\w.-]+)" IN \[(\?(?:, \?)*)\]$/;

/** Undefined for a statement of another form. */
export const parseSelection = (text: unknown): Selection | undefined => {
  const [, list = '', table, partitionKey, marks = ''] = SELECTION.exec(String(text)) ?? [];
  if (table === undefined || partitionKey === undefined) return undefined;
  const attributes = [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  return { table, partitionKey, attributes, partitions: marks.split(',').length };
};

interface StatementPorts {
  /** Names of a table's key attributes, the partition key first; undefined for an unknown table. */
  keyNamesOf(table: string): readonly string[] | undefined;
  call(operation: string, input: object): Promise<Record<string, unknown>>;
  entriesIn(table: string, range: Range): readonly ItemEntry[];
}

const inputSchema = z.object({
  Statements: z
    .array(z.object({ Statement: z.string(), Parameters: z.array(z.unknown()).min(1) }))
    .min(1)
    .max(25),
});

/** BatchExecuteStatement, for writes: each statement by itself, in their order. */
export const executeStatements = async (input: unknown, ports: StatementPorts) => {
  const { success, data } = inputSchema.safeParse(input);
  if (!success) {
    throw new AwsError('ValidationException', 'Statements must be 1 to 25, each with parameters.');
  }
  const Responses: object[] = [];
  for (const { Statement, Parameters } of data.Statements) {
    Responses.push(await execute(Statement, Parameters, ports));
  }
  return { Responses };
};

const execute = async (
  text: string,
  values: readonly unknown[],
  ports: StatementPorts,
): Promise<object> => {
  const statement = parseStatement(text);
  if (statement === undefined) return invalid('The statement is not emulated.');
  const { verb, table: TableName, attributes } = statement;
  if (attributes.length !== values.length) {
    return invalid("Number of parameters in request and statement don't match.");
  }
  const given = new Map(attributes.map((name, index) => [name, values[index]]));
  try {
    const keyNames = ports.keyNamesOf(TableName);
    if (keyNames === undefined) return { TableName, Error: { Code: 'ResourceNotFound' } };
    if (keyNames.some((name) => !given.has(name))) {
      return invalid('The statement does not name all key attributes.');
    }
    await EXECUTIONS[verb]({ TableName, keyNames, given }, ports);
    return { TableName };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { TableName, Error: { Code: CODES[verb][code] ?? code } };
  }
};

/** The errors that have another name in the operation on a single item. */
const CODES: Readonly<Record<Statement['verb'], Readonly<Record<string, string>>>> = {
  Delete: { Validation: 'ValidationError' },
  Insert: { Validation: 'ValidationError', ConditionalCheckFailed: 'DuplicateItem' },
};

const selectionSchema = z.object({
  Statement: z.string(),
  Parameters: z
    .array(z.object({ S: z.string() }))
    .min(1)
    .max(50),
  NextToken: z.string().optional(),
});

/**
 * ExecuteStatement, for selections: a page of the items of one partition after the other.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html
 */
export const executeSelection = async (input: unknown, ports: StatementPorts) => {
  const { data } = selectionSchema.safeParse(input);
  const selection = parseSelection(data?.Statement);
  if (data === undefined || selection?.partitions !== data.Parameters.length) {
    throw new AwsError('ValidationException', 'The statement is not emulated.');
  }
  const { table: TableName, partitionKey } = selection;
  const names = new Set(selection.attributes);
  if (ports.keyNamesOf(TableName)?.[0] !== partitionKey) {
    throw new AwsError('ResourceNotFoundException', 'There is no such table with this key.');
  }
  const start = positionIn(data.NextToken);
  const Items: object[] = [];
  let bytes = 0;
  let last = start;
  for (const [index, { S: partition }] of data.Parameters.entries()) {
    if (index < start.index) continue;
    const range = { ...rangeOfPartition(partition), limit: PAGE_ITEMS + 1 };
    const after = index === start.index ? start.after : undefined;
    const rest = after === undefined ? range : { ...range, gt: after };
    for (const { key, item } of ports.entriesIn(TableName, rest)) {
      if (Items.length === PAGE_ITEMS || bytes >= PAGE_BYTES) {
        return { Items, NextToken: Buffer.from(JSON.stringify(last)).toString('base64') };
      }
      const selected = Object.entries(JSON.parse(item)).filter(([name]) => names.has(name));
      Items.push(Object.fromEntries(selected));
      bytes += item.length;
      last = { index, after: key };
    }
  }
  return { Items };
};

/** Of a selection with `IN`. */
const PAGE_ITEMS = 10;
const PAGE_BYTES = 1_048_576;

/** The last item of a page: the parameter of its partition, and its key. */
interface Position {
  readonly index: number;
  readonly after?: string;
}

const positionIn = (token: string | undefined): Position =>
  token === undefined ? { index: 0 } : JSON.parse(Buffer.from(token, 'base64').toString());

interface Execution {
  readonly TableName: string;
  readonly keyNames: readonly string[];
  readonly given: ReadonlyMap<string, unknown>;
}

type Execute = (execution: Execution, ports: StatementPorts) => Promise<unknown>;

/** The conditions are in the older form, which DynamoDB still takes: no expression is parsed. */
const EXECUTIONS: Readonly<Record<Statement['verb'], Execute>> = {
  Delete: async ({ TableName, keyNames, given }, { call }) => {
    const Key = Object.fromEntries(keyNames.map((name) => [name, given.get(name)]));
    const others = [...given].filter(([name]) => !keyNames.includes(name));
    const Expected = Object.fromEntries(others.map(([name, Value]) => [name, { Value }]));
    try {
      await call('DeleteItem', { TableName, Key, ...(others.length > 0 && { Expected }) });
    } catch (fault) {
      if (codeOf(fault) !== FAILED_CONDITION) throw fault;
      // The deletion of an item that does not exist succeeds, whatever the statement compares.
      if ((await call('GetItem', { TableName, Key })).Item !== undefined) throw fault;
    }
  },
  Insert: ({ TableName, keyNames, given }, { call }) =>
    call('PutItem', {
      TableName,
      Item: Object.fromEntries(given),
      Expected: Object.fromEntries(keyNames.map((name) => [name, { Exists: false }])),
    }),
};

const FAILED_CONDITION = 'ConditionalCheckFailed';

/** Of an error answer of DynamoDB, without the word Exception. */
const codeOf = (error: unknown): string | undefined => {
  const { statusCode, body } = error as DynaliteError & { body?: { __type?: string } };
  if (statusCode !== 400) return undefined;
  return /#(\w+?)(?:Exception)?$/.exec(String(body?.__type))?.[1];
};

const invalid = (Message: string) => ({ Error: { Code: 'ValidationError', Message } });
