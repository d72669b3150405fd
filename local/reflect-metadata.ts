/**
 * The certificate library's dependency container refuses to load without the Reflect metadata
 * API, of which it uses three functions. This is as much of it as that takes.
 */
type Metadata = Map<unknown, unknown>;

const metadataOf = new WeakMap<object, Metadata>();

const getOwnMetadata = (key: unknown, target: object): unknown => metadataOf.get(target)?.get(key);

const getMetadata = (key: unknown, target: object): unknown => {
  for (let owner: object | null = target; owner; owner = Object.getPrototypeOf(owner)) {
    if (metadataOf.get(owner)?.has(key)) return getOwnMetadata(key, owner);
  }
  return undefined;
};

const defineMetadata = (key: unknown, value: unknown, target: object): void => {
  const metadata: Metadata = metadataOf.get(target) ?? new Map();
  metadataOf.set(target, metadata.set(key, value));
};

Object.assign(Reflect, { getOwnMetadata, getMetadata, defineMetadata });
