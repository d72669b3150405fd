import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { type IntegrationsModel, inForceAt, type ModelledIntegration, shownAt } from './model.ts';

export interface ModelledReply {
  readonly status: number;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly document: Record<string, unknown>;
}

/** The service that is compared with the model. */
export interface ModelledApi {
  readonly account: string;
  /** Three that may be saved. */
  readonly addresses: readonly [string, string, string];
  call(
    method: string,
    path: string,
    request?: { role?: 'member'; headers?: Record<string, string>; body?: unknown },
  ): Promise<ModelledReply>;
  /** A delivery to the integration as it would be sent now. */
  deliveryTo(id: string): Promise<{ headers: Record<string, string>; body: string }>;
  /** Stands still until `elapse`. */
  now(): Date;
  elapse(seconds: number): void;
}

export const expectShown = (
  { document, header }: ModelledReply,
  integration: ModelledIntegration,
  { nowMs, shows }: { nowMs: number; shows?: 'secret' | 'next' | undefined },
): void => {
  // The model does not cover whether a host name resolves.
  const { warnings: _, ...shown } = document;
  expect(shown).toEqual(shownAt(integration, nowMs, { shows }));
  expect(header('etag')).toBe(integration.entityTag);
};

const checkIntegration = async (
  api: ModelledApi,
  integration: ModelledIntegration,
): Promise<void> => {
  const reply = await api.call('GET', integration.id, { role: 'member' });
  expect(reply.status).toBe(200);
  expectShown(reply, integration, { nowMs: api.now().getTime() });
};

const checkGone = async (api: ModelledApi, id: string): Promise<void> => {
  const { status } = await api.call('GET', id, { role: 'member' });
  expect(status).toBe(404);
};

/** What the package that receivers use makes of a secret. */
const signedWith = (
  secret: string,
  { headers, body }: Awaited<ReturnType<ModelledApi['deliveryTo']>>,
): string => {
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(secret, { format: 'raw' });
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
  return webhook.sign(headers['webhook-id'] ?? '', sentAt, body);
};

/** A receiver that has any of the secrets in force verifies a delivery; with any other, none does. */
const checkSignatures = async (
  api: ModelledApi,
  integration: ModelledIntegration,
): Promise<void> => {
  const delivery = await api.deliveryTo(integration.id);
  const signatures = delivery.headers['webhook-signature']?.split(' ') ?? [];
  const { secret, next } = integration;
  const inForce = [
    secret,
    ...(next === undefined ? [] : [next]),
    ...inForceAt(integration, api.now().getTime()).map(({ text }) => text),
  ];
  const verifying = [...integration.everySecret].filter((each) =>
    signatures.includes(signedWith(each, delivery)),
  );
  expect(verifying.toSorted()).toEqual(inForce.toSorted());
  expect(signatures).toHaveLength(verifying.length);
  expect(delivery.headers['X-Service-Signature']).toBe(
    createHmac('sha256', secret).update(delivery.body).digest('hex'),
  );
};

interface Page {
  readonly member: unknown[];
  readonly totalItems?: number;
  readonly view: { readonly next?: string };
}

/** From page to page there is each integration once, in the order of ids, and nothing else. */
export const checkList = async (
  api: ModelledApi,
  model: IntegrationsModel,
  { limit }: { limit: number },
): Promise<void> => {
  const left = model.ids.map((id) => model.live.get(id) ?? expect.fail());
  const isWhole = left.length <= limit;
  for (let path: string | undefined = `/${api.account}/integrations?limit=${limit}`; path; ) {
    const { status, document } = await api.call('GET', path, { role: 'member' });
    expect(status).toBe(200);
    const { member, totalItems, view } = document as unknown as Page;
    const nowMs = api.now().getTime();
    expect(member).toEqual(left.splice(0, limit).map((each) => shownAt(each, nowMs)));
    expect(totalItems).toBe(isWhole ? model.live.size : undefined);
    expect(view.next !== undefined).toBe(left.length > 0);
    path = view.next;
  }
};

const LARGEST_PAGE = 100;

export const checkEverything = async (
  api: ModelledApi,
  model: IntegrationsModel,
): Promise<void> => {
  for (const integration of model.live.values()) {
    await checkIntegration(api, integration);
    await checkSignatures(api, integration);
  }
  for (const id of model.gone) await checkGone(api, id);
  await checkList(api, model, { limit: LARGEST_PAGE });
};
