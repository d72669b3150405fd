/** A text with the colon after a name, a bracket, or a comma. Nothing else of a JSON text is looked at. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{},]/g;

interface Level {
  /** Undefined in an array. */
  readonly names: Set<string> | undefined;
  step: PropertyKey;
}

/**
 * The first member of a JSON text whose object has its name already, and where it begins. `JSON.parse`
 * keeps the last of them without a word.
 */
export const repeatedMember = (
  json: string,
): { readonly path: readonly PropertyKey[]; readonly offset: number } | undefined => {
  const levels: Level[] = [];
  for (const { 0: token, 1: colon, index: offset } of json.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), step: '' });
    else if (token === '[') levels.push({ names: undefined, step: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && typeof level?.step === 'number') level.step += 1;
    else if (colon !== undefined && level?.names !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      level.step = name;
      if (level.names.has(name)) return { path: levels.map(({ step }) => step), offset };
      level.names.add(name);
    }
  }
  return undefined;
};
