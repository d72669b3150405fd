/**
 * Makes a read happen once for each distinct key, however many ask side by side. Made anew for
 * every batch: nothing about an integration is cached across invocations.
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
