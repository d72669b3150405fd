import { expect } from 'vitest';
import { expectShown, type ModelledApi, type ModelledReply } from './api.ts';
import type { IntegrationsModel, ModelledIntegration } from './model.ts';
import { type IfMatch, MET, type Target } from './requests.ts';

export interface Aim {
  readonly target: Target;
  readonly ifMatch: IfMatch;
}

interface Change extends Aim {
  readonly method: string;
  /** Behind the integration's path. */
  readonly suffix?: string;
  readonly bodyFor: (known: ModelledIntegration) => unknown;
  readonly isValidFor: (known: ModelledIntegration) => boolean;
  /** What it does to the integration; which secret the answer shows. */
  readonly effect: (
    known: ModelledIntegration,
    answer: Pick<ModelledReply, 'document'> & { nowMs: number },
  ) => 'secret' | 'next' | undefined;
}

const UNKNOWN = '/integrations/zzzzzzzzzzzz';

export const idOf = ({ ids, gone }: IntegrationsModel, target: Target): string => {
  if (target === 'deleted') return [...gone].at(-1) ?? UNKNOWN;
  return (target === 'unknown' ? undefined : ids[target % ids.length]) ?? UNKNOWN;
};

const headersOf = (ifMatch: IfMatch, known?: ModelledIntegration): Record<string, string> => {
  const right = known?.entityTag ?? '"zzzzzzzzzzzz-1"';
  const texts: Record<Exclude<IfMatch, 'absent'>, string> = {
    right,
    any: '*',
    'among others': `"x", ${right}`,
    former: known?.formerTags.at(-1) ?? '"of none"',
    weak: `W/${right}`,
    nonsense: right.slice(1, -1),
  };
  return ifMatch === 'absent' ? {} : { 'If-Match': texts[ifMatch] };
};

const statusOf = (
  { ifMatch, isValidFor }: Pick<Change, 'ifMatch' | 'isValidFor'>,
  known: ModelledIntegration | undefined,
  { success }: { success: number },
): number => {
  if (known === undefined) return 404;
  if (!MET.has(ifMatch)) return 412;
  return isValidFor(known) ? success : 422;
};

/** Changes the one that is aimed at; its id. */
export const change = async (
  model: IntegrationsModel,
  api: ModelledApi,
  wanted: Change,
): Promise<string> => {
  const id = idOf(model, wanted.target);
  const known = model.live.get(id);
  const body = known ? wanted.bodyFor(known) : {};
  const reply = await api.call(wanted.method, id + (wanted.suffix ?? ''), {
    headers: headersOf(wanted.ifMatch, known),
    ...(body !== undefined && { body }),
  });
  expect(reply.status).toBe(statusOf(wanted, known, { success: 200 }));
  if (!known || reply.status !== 200) return id;

  const nowMs = api.now().getTime();
  const updatedAt = String(reply.document.updatedAt);
  expect(Date.parse(updatedAt)).toBe(nowMs);
  const shows = wanted.effect(known, { ...reply, nowMs });
  known.updatedAt = updatedAt;
  for (const secret of [known.secret, known.next ?? known.secret]) known.everySecret.add(secret);
  known.formerTags.push(known.entityTag);
  known.entityTag = reply.header('etag') ?? '';
  expect(known.formerTags).not.toContain(known.entityTag);
  expectShown(reply, known, { nowMs, shows });
  return id;
};

export const remove = async (
  model: IntegrationsModel,
  api: ModelledApi,
  { target, ifMatch }: Aim,
): Promise<string> => {
  const id = idOf(model, target);
  const known = model.live.get(id);
  const { status } = await api.call('DELETE', id, { headers: headersOf(ifMatch, known) });
  const expected = statusOf({ ifMatch, isValidFor: () => true }, known, { success: 204 });
  expect(status).toBe(expected);
  if (status !== 204) return id;
  model.live.delete(id);
  model.gone.add(id);
  for (const [key, claim] of model.keys) if (claim.id === id) model.keys.delete(key);
  return id;
};
