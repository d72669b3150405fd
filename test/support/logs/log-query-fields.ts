/** What of Logs Insights QL our queries use, beside the names of fields. */
const WORDS: ReadonlySet<string> = new Set([
  ...['fields', 'filter', 'stats', 'sort', 'limit'],
  ...['and', 'as', 'asc', 'by', 'desc', 'like', 'or'],
  ...['bin', 'count', 'count_distinct', 'earliest', 'latest', 'max', 'sum'],
]);

/** The fields that a query of Logs Insights names, without those that Logs Insights adds. */
export const fieldsOf = (query: string): readonly string[] => {
  const names = query
    .replaceAll(/"[^"]*"|\/[^/\n]*\//g, '')
    .replaceAll(/\b\d+\w*/g, '')
    .match(/@?[a-z_]\w*/gi);
  const given = new Set([...query.matchAll(/ as (\w+)/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter(
    (name) => !(WORDS.has(name) || given.has(name) || name.startsWith('@')),
  );
};

/** The log events that a query is about, by the names that it filters; none: about all. */
export const logEventsOf = (query: string): readonly string[] =>
  [...query.matchAll(/message = "([^"]+)"/g)].map(([, name = '']) => name);
