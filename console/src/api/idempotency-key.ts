/**
 * Gives keys that make a creation repeatable: the same body has the same key, so that a second
 * click, or another try after a lost answer, makes nothing twice. Another body has another key,
 * because the service refuses a key that was used with another body.
 */
export const createKeyring = (makeKey: () => string): ((body: unknown) => string) => {
  const keys = new Map<string, string>();
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? makeKey();
    keys.set(text, key);
    return key;
  };
};
