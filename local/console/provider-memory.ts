import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  readonly payload: AdapterPayload;
  readonly expiresAtMs: number;
}

/**
 * Keeps the state of an OpenID provider (sessions, grants, codes, refresh tokens) in memory, until it
 * expires.
 */
export const createProviderMemory = (nowMs = Date.now) => {
  const models = new Map<string, Map<string, Kept>>();
  return (model: string): Adapter => {
    const items = models.get(model) ?? new Map<string, Kept>();
    models.set(model, items);
    const live = (): [string, AdapterPayload][] => {
      const now = nowMs();
      for (const [id, { expiresAtMs }] of items) if (expiresAtMs <= now) items.delete(id);
      return [...items].map(([id, { payload }]) => [id, payload]);
    };
    const find = (matches: (id: string, payload: AdapterPayload) => boolean) =>
      live().find(([id, payload]) => matches(id, payload))?.[1];
    return {
      upsert: async (id, payload, expiresIn = Number.POSITIVE_INFINITY) => {
        items.set(id, { payload, expiresAtMs: nowMs() + expiresIn * 1_000 });
      },
      find: async (wanted) => find((id) => id === wanted),
      findByUid: async (wanted) => find((_, { uid }) => uid === wanted),
      // Only devices have user codes.
      findByUserCode: async () => undefined,
      consume: async (wanted) => {
        const payload = find((id) => id === wanted);
        if (payload) payload.consumed = Math.floor(nowMs() / 1_000);
      },
      destroy: async (id) => {
        items.delete(id);
      },
      revokeByGrantId: async (grant) => {
        for (const [id, { grantId }] of live()) if (grantId === grant) items.delete(id);
      },
    };
  };
};
