interface Member {
  /** Such as `message.id`. */
  readonly id: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** The parts of a JSON Schema that the event catalogue has. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** The members of the values of a schema, each before its own members. */
export const membersOf = (
  { properties = {}, required = [], items }: Schema,
  path = '',
): readonly Member[] =>
  items === undefined
    ? Object.entries(properties).flatMap(([name, schema]) => [
        {
          id: path + name,
          type: typeInWords(schema),
          isRequired: required.includes(name),
          meaning: (schema.description ?? '').replaceAll('`', ''),
        },
        ...membersOf(schema, `${path}${name}.`),
      ])
    : membersOf(items, path);

const typeInWords = ({ type = 'any', const: only, enum: values, items }: Schema): string => {
  if (items !== undefined) return `list of ${typeInWords(items)}`;
  const named = values ?? (only === undefined ? [] : [only]);
  return named.length > 0
    ? named.map((value) => JSON.stringify(value)).join(' or ')
    : [type].flat().join(' or ');
};
