/** By name, whose case does not matter. Values are secrets. */
export type EndpointHeaders<Value> = Readonly<Record<string, Value>>;

/** Shown in place of a stored secret, except in the answer to the call that set it. */
export const FILTERED = '[FILTERED]';

/** The headers without their values. */
export const filtered = (headers: EndpointHeaders<unknown>): EndpointHeaders<typeof FILTERED> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, FILTERED]));

/** The place of a header's value, whatever the case of its name. */
export type HeaderField = `headers.${Lowercase<string>}`;

const fieldOf = (name: string): HeaderField => `headers.${name.toLowerCase() as Lowercase<string>}`;

/** Seals or opens the value of each header, all at once. */
export const mapHeaders = async <From, To>(
  headers: EndpointHeaders<From>,
  change: (value: From, field: HeaderField) => Promise<To>,
): Promise<EndpointHeaders<To>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(headers).map(
        async ([name, value]) => [name, await change(value, fieldOf(name))] as const,
      ),
    ),
  );
