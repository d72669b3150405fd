import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import type { ModelledApi } from '../support/integrations-model/api.ts';
import { integrationCommands, runAgainst } from '../support/integrations-model/commands.ts';
import { newCustomer } from '../support/journey/customer.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

let receiver: MisbehavingReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.retire());

interface SentTest {
  readonly request: { headers: Record<string, string>; body: string };
}

const anApi = ({ account, tokens, call }: Customer): ModelledApi => ({
  account,
  addresses: [receiver.url('/1'), receiver.url('/2'), 'https://hooks.example.com/in'],
  call: async (method, path, { role, ...request } = {}) => {
    const answer = await call(method, path, { ...request, ...(role && { token: tokens[role] }) });
    const { status, headers, document } = answer;
    return { status, document, header: (name) => headers.get(name) ?? undefined };
  },
  deliveryTo: async (id) => {
    const test = await call('POST', `${id}/test`, { body: { eventType: 'message.received' } });
    expect(test.status).toBe(200);
    return (test.document as unknown as SentTest).request;
  },
  now: () => new Date(),
  // Functions and tests may be on two machines.
  skewMs: 5_000,
  looksAt: 'what was touched',
});

describe('the integrations of an account', () => {
  it('are what a plain model of them says, whatever is done to them in which order', () =>
    fc.assert(
      fc.asyncProperty(
        // Long enough not to end meanwhile.
        integrationCommands({ overlaps: [3_600, 604_800], canElapse: false, maxCommands: 30 }),
        async (commands) => {
          await runAgainst(anApi(await newCustomer()), commands);
        },
      ),
      // To look for a smaller example could take longer than a test may.
      { numRuns: countOf({ usually: 3, long: 40 }), endOnFailure: true },
    ));
});
