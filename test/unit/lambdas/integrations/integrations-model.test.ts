import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryId } from '../../../../core/delivery/delivery.ts';
import { signatureHeaders } from '../../../../core/delivery/signature-headers.ts';
import { buildOpenSecrets } from '../../../../core/integration/signing-secrets.ts';
import { countOf } from '../../../support/count-of.ts';
import type { ModelledApi } from '../../../support/integrations-model/api.ts';
import { integrationCommands, runAgainst } from '../../../support/integrations-model/commands.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const BODY = '{"text":"Grüße 👋"}';

/** The API over memory, with a clock that `elapse` sets. */
const anApi = (): ModelledApi => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  const api = apiOverMemory([], { now: () => now });
  const call: ModelledApi['call'] = async (method, path, request = {}) => {
    const { status, headers, document } = await api.call(method, path, request);
    return { status, document, header: (name) => headers[name] };
  };
  return {
    account: 'acme',
    addresses: ['https://hooks.example.com/1', 'https://hooks.example.com/2', 'https://x.test/'],
    call,
    deliveryTo: async (path) => {
      const id = path.split('/').at(-1) ?? '';
      const stored = (await api.parts.integrations.find('acme', id)) ?? expect.fail('gone');
      const secrets = await buildOpenSecrets(api.parts)(stored);
      const headers = signatureHeaders(secrets, BODY, {
        deliveryId: deliveryId(id, 'evt_1'),
        sentAt: now,
      });
      return { headers, body: BODY };
    },
    now: () => now,
    elapse: (seconds) => {
      now = new Date(now.getTime() + seconds * 1_000);
    },
  };
};

describe('the integrations of an account', () => {
  it('are what a plain model says, in any order of calls', () =>
    fc.assert(
      fc.asyncProperty(
        integrationCommands({ overlaps: [60, 604_800], maxCommands: 60 }),
        async (commands) => {
          await runAgainst(anApi(), commands);
        },
      ),
      { numRuns: countOf({ usually: 100, long: 1_000 }) },
    ));
});
