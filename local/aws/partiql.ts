import * as z from 'zod';
import { AwsError } from './aws-request.ts';
import type { DynaliteError } from './dynalite-internals.ts';

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

/**
 * Undefined for a statement of another form than `DELETE FROM "table" WHERE "a" = ? AND "b" = ?` or
 * `INSERT INTO "table" VALUE {'a': ?, 'b': ?}`.
 */
export const parseStatement = (text: unknown): Statement | undefined => {
  if (latest.text !== text) latest = { text, statement: statementOf(text) };
  return latest.statement;
};

/** The statements of a batch mostly have one text. */
let latest: { readonly text: unknown; readonly statement: Statement | undefined } = {
  text: undefined,
  statement: undefined,
};

const statementOf = (text: unknown): Statement | undefined => {
  for (const verb of ['Delete', 'Insert'] as const) {
    const [, table, list] = FORMS[verb].exec(String(text)) ?? [];
    if (table === undefined || list === undefined) continue;
    const attributes = [...list.matchAll(/["']([^"']+)["']/g)].map(([, name = '']) => name);
    return { verb, table, attributes };
  }
  return undefined;
};

interface StatementPorts {
  /** Names of a table's key attributes, the partition key first. */
  keyNamesOf(table: string): Promise<readonly string[]>;
  /** @param input the input of the operation DeleteItem */
  deleteItem(input: object): Promise<unknown>;
  /** @param input the input of the operation PutItem */
  putItem(input: object): Promise<unknown>;
  /** @param input the input of the operation GetItem */
  getItem(input: object): Promise<{ readonly Item?: unknown }>;
}

const inputSchema = z.object({
  Statements: z
    .array(z.object({ Statement: z.string(), Parameters: z.array(z.unknown()).min(1) }))
    .min(1)
    .max(25),
});

/**
 * The operation BatchExecuteStatement, for writes: each statement by itself, in their order. dynalite
 * knows no statements.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
 */
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
    const keyNames = await ports.keyNamesOf(TableName);
    if (keyNames.some((name) => !given.has(name))) return invalid(WITHOUT_KEY[verb]);
    await EXECUTIONS[verb]({ TableName, keyNames, given }, ports);
    return { TableName };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { TableName, Error: { Code: CODES[verb][code] ?? code } };
  }
};

const WITHOUT_KEY: Readonly<Record<Statement['verb'], string>> = {
  Delete: 'Where clause does not contain a mandatory equality on all key attributes',
  Insert: 'One of the required keys was not given a value',
};

/** What a statement calls an error that has another name in the operation of a single item. */
const CODES: Readonly<Record<Statement['verb'], Readonly<Record<string, string>>>> = {
  Delete: { Validation: 'ValidationError' },
  Insert: { Validation: 'ValidationError', ConditionalCheckFailed: 'DuplicateItem' },
};

interface Execution {
  readonly TableName: string;
  readonly keyNames: readonly string[];
  readonly given: ReadonlyMap<string, unknown>;
}

type Execute = (execution: Execution, ports: StatementPorts) => Promise<unknown>;

const EXECUTIONS: Readonly<Record<Statement['verb'], Execute>> = {
  Delete: ({ TableName, keyNames, given }, ports) => {
    const others = [...given.keys()].filter((name) => !keyNames.includes(name));
    const item = {
      TableName,
      Key: Object.fromEntries(keyNames.map((name) => [name, given.get(name)])),
    };
    return ports.deleteItem({ ...item, ...expecting(others, given) }).catch(async (fault) => {
      if (codeOf(fault) !== FAILED_CONDITION) throw fault;
      // To delete an item that is not there succeeds, whatever else the statement compares.
      if ((await ports.getItem(item)).Item !== undefined) throw fault;
    });
  },
  Insert: ({ TableName, keyNames, given }, ports) =>
    ports.putItem({
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

/**
 * The older form of a condition on attributes, which DynamoDB still takes. dynalite parses an
 * expression anew for each item: half of what a statement took.
 */
const expecting = (names: readonly string[], given: ReadonlyMap<string, unknown>) =>
  names.length > 0 && {
    Expected: Object.fromEntries(names.map((name) => [name, { Value: given.get(name) }])),
  };
