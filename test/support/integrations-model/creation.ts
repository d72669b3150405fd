import { expect } from 'vitest';
import type { OnFatalError } from '../../../core/integration/settings.ts';
import { expectShown, type ModelledApi, type ModelledReply } from './api.ts';
import { type Actions, actionsOf, DEFAULT_ACTIONS, type IntegrationsModel } from './model.ts';
import { type DocumentChoice, sentSecret, textOf } from './requests.ts';

interface SentDocument {
  readonly provider: 'webhook';
  readonly active: boolean;
  readonly config: {
    readonly baseUrl: string;
    readonly webhookSecret?: string;
    readonly clientSecret?: string;
  };
  readonly settings: { readonly actions?: Actions; readonly onFatalError?: OnFatalError };
}

const DAY_MS = 86_400_000;

export const documentOf = (
  choice: DocumentChoice,
  api: ModelledApi,
  known?: { secret: string; everySecret: ReadonlySet<string> },
): SentDocument => ({
  active: choice.active,
  provider: 'webhook',
  config: {
    baseUrl: api.addresses[choice.address] ?? '',
    ...sentSecret('webhookSecret', choice.webhookSecret, textOf(choice.webhookSecret, known)),
    ...sentSecret('clientSecret', choice.clientSecret, textOf(choice.clientSecret, known)),
  },
  settings: {
    ...(choice.actions && { actions: choice.actions }),
    ...(choice.onFatalError && { onFatalError: choice.onFatalError }),
  },
  ...choice.fault,
});

/** What stands for a stored secret is refused where none is stored yet. */
const isCreatable = ({ webhookSecret, clientSecret, fault }: DocumentChoice): boolean =>
  Object.keys(fault).length === 0 &&
  webhookSecret !== '[FILTERED]' &&
  clientSecret !== '[FILTERED]';

/** Creates one of a document; its id, unless it is refused. */
export const create = (
  model: IntegrationsModel,
  api: ModelledApi,
  { document, key }: { document: DocumentChoice; key: string | undefined },
): Promise<string | undefined> =>
  post(model, api, { document: documentOf(document, api), key, isValid: isCreatable(document) });

/** Sends again what was sent with a key, where something was. */
export const repeat = async (
  model: IntegrationsModel,
  api: ModelledApi,
  key: string,
): Promise<string | undefined> => {
  const body = model.keys.get(key)?.body;
  return body && post(model, api, { document: JSON.parse(body), key, isValid: true });
};

interface Posting {
  readonly document: SentDocument;
  readonly key: string | undefined;
  readonly isValid: boolean;
}

const post = async (
  model: IntegrationsModel,
  api: ModelledApi,
  { document, key, isValid }: Posting,
): Promise<string | undefined> => {
  const nowMs = api.now().getTime();
  const reply = await api.call('POST', `/${api.account}/integrations`, {
    body: document,
    ...(key && { headers: { 'Idempotency-Key': key } }),
  });
  const stored = key === undefined ? undefined : model.keys.get(key);
  const claim = stored && nowMs < stored.expiresAtMs ? stored : undefined;
  const isConflict = claim !== undefined && claim.body !== JSON.stringify(document);
  const accepted = isConflict ? 409 : 201;
  expect(reply.status).toBe(isValid ? accepted : 422);
  if (reply.status !== 201) return undefined;

  const existing = claim && model.live.get(claim.id);
  if (existing) {
    // The secret is still the one that this call set or made.
    expectShown(reply, existing, {
      nowMs,
      shows: existing.formerTags.length === 0 ? 'secret' : undefined,
    });
    return existing.id;
  }
  const id = String(reply.document.id);
  expect([...model.live.keys(), ...model.gone]).not.toContain(id);
  adopt(model, reply, { document, nowMs });
  if (key) {
    model.keys.set(key, { body: JSON.stringify(document), id, expiresAtMs: nowMs + DAY_MS });
  }
  return id;
};

const adopt = (
  model: IntegrationsModel,
  reply: ModelledReply,
  { document, nowMs }: { document: SentDocument; nowMs: number },
): void => {
  const { id, createdAt, config } = reply.document as Record<'id' | 'createdAt', string> & {
    config: { webhookSecret: string };
  };
  expect(Date.parse(createdAt)).toBe(nowMs);
  if (document.config.webhookSecret === undefined) {
    expect(config.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
  }
  const secret = document.config.webhookSecret ?? config.webhookSecret;
  const created = {
    id,
    active: document.active,
    baseUrl: document.config.baseUrl,
    actions: document.settings.actions ? actionsOf(document.settings.actions) : DEFAULT_ACTIONS,
    onFatalError: document.settings.onFatalError ?? 'pause',
    clientSecret: document.config.clientSecret,
    secret,
    next: undefined,
    previous: [],
    everySecret: new Set([secret]),
    createdAt,
    updatedAt: createdAt,
    entityTag: reply.header('etag') ?? '',
    formerTags: [],
  };
  expect(created.entityTag).toMatch(/^"[^"]+"$/);
  expect(reply.header('location')).toMatch(new RegExp(`${id}$`));
  expectShown(reply, created, { nowMs, shows: 'secret' });
  model.live.set(id, created);
};
