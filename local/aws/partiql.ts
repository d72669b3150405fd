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
