/**
 * Makes one read for each distinct key, however many records ask for it. Called anew for every
 * batch, so that nothing about an integration is cached across invocations.
 */
export const readOnce = <Key extends readonly string[], Value>(
  read: (...key: Key) => Promise<Value>,
): ((...key: Key) => Promise<Value>) => {
  const reads = new Map<string, Promise<Value>>();
  return (...key) => {
    const name = JSON.stringify(key);
    const started = reads.get(name) ?? read(...key);
    reads.set(name, started);
    return started;
  };
};
