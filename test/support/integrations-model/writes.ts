import { expect } from 'vitest';
import type { ModelledApi } from './api.ts';
import { type Aim, change, idOf } from './changes.ts';
import { documentOf } from './creation.ts';
import {
  type Actions,
  actionsOf,
  DEFAULT_ACTIONS,
  type IntegrationsModel,
  type ModelledIntegration,
  prepareRotation,
  switchSecret,
  writeSecret,
} from './model.ts';
import {
  type DocumentChoice,
  type PatchChoice,
  type RotationChoice,
  type SecretChoice,
  type SwitchChoice,
  sentSecret,
  type Target,
  textOf,
} from './requests.ts';

const isFaultless = ({ fault }: { fault: object }): boolean => Object.keys(fault).length === 0;

const keepsNothing = (choice: SecretChoice | undefined, known: ModelledIntegration): boolean =>
  choice === '[FILTERED]' && known.clientSecret === undefined;

const setSecrets = (
  known: ModelledIntegration,
  { webhookSecret, clientSecret }: Pick<DocumentChoice, 'webhookSecret' | 'clientSecret'>,
): 'secret' | undefined => {
  const text = textOf(webhookSecret, known);
  if (clientSecret !== '[FILTERED]') known.clientSecret = textOf(clientSecret, known);
  if (text !== undefined) writeSecret(known, text);
  return text === undefined ? undefined : 'secret';
};

export const replace = (
  model: IntegrationsModel,
  api: ModelledApi,
  { document, ...aim }: Aim & { document: DocumentChoice },
): Promise<string> =>
  change(model, api, {
    ...aim,
    method: 'PUT',
    bodyFor: (known) => documentOf(document, api, known),
    isValidFor: (known) => isFaultless(document) && !keepsNothing(document.clientSecret, known),
    effect: (known) => {
      known.active = document.active;
      known.baseUrl = api.addresses[document.address] ?? '';
      known.actions = document.actions ? actionsOf(document.actions) : DEFAULT_ACTIONS;
      known.onFatalError = document.onFatalError ?? 'pause';
      return setSecrets(known, document);
    },
  });

const patchedActions = (
  actions: Actions,
  patch: Readonly<Record<string, boolean | null>> | null,
): Actions => {
  if (patch === null) return DEFAULT_ACTIONS;
  const patched = Object.entries(patch).map(([type, value]) => [type, value ?? false]);
  return { ...actions, ...Object.fromEntries(patched) };
};

export const patch = (
  model: IntegrationsModel,
  api: ModelledApi,
  {
    patch: { active, address, actions, onFatalError, fault, ...secrets },
    ...aim
  }: Aim & { patch: PatchChoice },
): Promise<string> =>
  change(model, api, {
    ...aim,
    method: 'PATCH',
    bodyFor: (known) => ({
      ...(active !== undefined && { active }),
      config: {
        ...(address !== undefined && { baseUrl: api.addresses[address] }),
        ...sentSecret('webhookSecret', secrets.webhookSecret, textOf(secrets.webhookSecret, known)),
        ...sentSecret('clientSecret', secrets.clientSecret, textOf(secrets.clientSecret, known)),
      },
      settings: {
        ...(actions !== undefined && { actions }),
        ...(onFatalError !== undefined && { onFatalError }),
      },
      ...fault,
    }),
    isValidFor: (known) => isFaultless({ fault }) && !keepsNothing(secrets.clientSecret, known),
    effect: (known) => {
      known.active = active ?? known.active;
      known.baseUrl = address === undefined ? known.baseUrl : (api.addresses[address] ?? '');
      if (actions !== undefined) known.actions = patchedActions(known.actions, actions);
      if (onFatalError !== undefined) known.onFatalError = onFatalError ?? 'pause';
      const { webhookSecret = 'absent', clientSecret = 'absent' } = secrets;
      // What a patch does not name stays.
      const kept = clientSecret === 'absent' ? '[FILTERED]' : clientSecret;
      return setSecrets(known, { webhookSecret, clientSecret: kept });
    },
  });

/** Writes what a read shows, which changes nothing. */
export const sendBack = async (
  model: IntegrationsModel,
  api: ModelledApi,
  { target, method }: { target: Target; method: string },
): Promise<string> => {
  const { document } = await api.call('GET', idOf(model, target));
  return change(model, api, {
    target,
    ifMatch: 'right',
    method,
    bodyFor: () => document,
    isValidFor: () => true,
    effect: () => undefined,
  });
};

const MAX_OVERLAP_S = 604_800;
const USUAL_OVERLAP_S = 86_400;

export const rotateSecret = (
  model: IntegrationsModel,
  api: ModelledApi,
  { webhookSecret, ...aim }: RotationChoice,
): Promise<string> =>
  change(model, api, {
    ...aim,
    method: 'POST',
    suffix: '/rotate-secret',
    // None where it would have no members.
    bodyFor: (known) =>
      webhookSecret === 'absent'
        ? undefined
        : sentSecret('webhookSecret', webhookSecret, textOf(webhookSecret, known)),
    isValidFor: () => webhookSecret !== '[FILTERED]',
    effect: (known, { document, nowMs }) => {
      const made = String((document.config as { nextWebhookSecret?: string }).nextWebhookSecret);
      const text = textOf(webhookSecret, known) ?? made;
      if (webhookSecret === 'absent') expect([...known.everySecret]).not.toContain(made);
      prepareRotation(known, text, { nowMs, expiresAtMs: nowMs + USUAL_OVERLAP_S * 1_000 });
      return 'next';
    },
  });

export const switchToNext = (
  model: IntegrationsModel,
  api: ModelledApi,
  { named, overlapSeconds, ...aim }: SwitchChoice,
): Promise<string> => {
  const namedOf = ({ secret, next = secret }: ModelledIntegration): string =>
    ({ next, current: secret, other: 'a secret that was never prepared' })[named];
  const overlapS = overlapSeconds ?? USUAL_OVERLAP_S;
  return change(model, api, {
    ...aim,
    method: 'POST',
    suffix: '/switch-secret',
    bodyFor: (known) => ({
      webhookSecret: namedOf(known),
      ...(overlapSeconds !== undefined && { overlapSeconds }),
    }),
    isValidFor: () =>
      named !== 'other' && Number.isInteger(overlapS) && overlapS >= 0 && overlapS <= MAX_OVERLAP_S,
    effect: (known, { nowMs }) => {
      const overlap = { nowMs, expiresAtMs: nowMs + overlapS * 1_000 };
      switchSecret(known, namedOf(known), overlap);
      return undefined;
    },
  });
};
