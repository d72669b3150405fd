import { expect } from 'vitest';
import type { ModelledApi } from './api.ts';
import { change } from './changes.ts';
import { type IntegrationsModel, type ModelledIntegration, rotate } from './model.ts';
import { type RotationChoice, sentSecret, textOf } from './requests.ts';

const MAX_OVERLAP_S = 604_800;
const USUAL_OVERLAP_S = 86_400;

/** None where it would have no members. */
const rotationBody = (
  { overlapSeconds, webhookSecret }: RotationChoice,
  known: ModelledIntegration,
): object | undefined => {
  const body = {
    ...(overlapSeconds !== undefined && { overlapSeconds }),
    ...sentSecret('webhookSecret', webhookSecret, textOf(webhookSecret, known)),
  };
  return Object.keys(body).length > 0 ? body : undefined;
};

export const rotateSecret = (
  model: IntegrationsModel,
  api: ModelledApi,
  choice: RotationChoice,
): Promise<string> => {
  const { overlapSeconds: overlapS = USUAL_OVERLAP_S, webhookSecret } = choice;
  const isPossible = Number.isInteger(overlapS) && overlapS >= 0 && overlapS <= MAX_OVERLAP_S;
  return change(model, api, {
    ...choice,
    method: 'POST',
    suffix: '/rotate-secret',
    bodyFor: (known) => rotationBody(choice, known),
    isValidFor: () => isPossible && webhookSecret !== '[FILTERED]',
    effect: (known, { document, nowMs }) => {
      const made = (document.config as { webhookSecret: string }).webhookSecret;
      const text = textOf(webhookSecret, known) ?? made;
      if (webhookSecret === 'absent') expect([...known.everySecret]).not.toContain(made);
      rotate(known, text, { nowMs, expiresAtMs: nowMs + overlapS * 1_000 });
      return true;
    },
  });
};
