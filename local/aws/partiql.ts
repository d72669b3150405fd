/** A statement of DynamoDB's PartiQL, of the one form that our functions write. */
export interface Statement {
  readonly verb: 'Delete';
  readonly table: string;
  /** The attributes that the statement compares with its parameters, in their order. */
  readonly compared: readonly string[];
}

const DELETE = /^DELETE FROM "([\w.-]+)" WHERE ("[\w.-]+" = \?(?: AND "[\w.-]+" = \?)*)$/;

/** Undefined for a statement of another form: `DELETE FROM "table" WHERE "a" = ? AND "b" = ?`. */
export const parseStatement = (text: unknown): Statement | undefined => {
  const [, table, where] = DELETE.exec(String(text)) ?? [];
  if (table === undefined || where === undefined) return undefined;
  const compared = [...where.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  return { verb: 'Delete', table, compared };
};
