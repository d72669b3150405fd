/**
 * Makes idempotency keys. The same body gets the same key, so a second click, or a retry after a
 * lost response, creates nothing twice. Another body gets another key, because the service refuses
 * a key that was used with another body.
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
