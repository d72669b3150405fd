import { AwsError, jsonError } from 'local-aws/aws/aws-request.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/journey/platform.ts';
import {
  assembledIn,
  type SeparateRun,
  startSeparateRun,
} from '../support/journey/separate-run.ts';
import { DeliveriesTo, isAuthentic } from '../support/receiver/received-deliveries.ts';

const stateDirectory = inject('stateDirectory');

/** The errors of KMS, one after the other. The SDK repeats the call after some of them. */
const FAULTS = [
  new AwsError('ThrottlingException', 'Rate exceeded'),
  new AwsError('AccessDeniedException', 'no identity-based policy allows the kms:Decrypt action'),
  new AwsError('DisabledException', 'The key is disabled.'),
  new AwsError('KMSInternalException', 'Try again.', 500),
];

let separate: SeparateRun;
let isReachable = false;
let refused = 0;

beforeAll(async () => {
  if (stateDirectory === undefined) return;
  separate = await startSeparateRun(`${stateDirectory}-without-key`, assembledIn(stateDirectory), {
    onFunctionFailure: () => {},
    interceptAws: async ({ headers }, answer) => {
      if (isReachable || headers['x-amz-target'] !== 'TrentService.Decrypt') return answer();
      refused += 1;
      return jsonError(FAULTS[refused % FAULTS.length] ?? expect.fail());
    },
  });
});

afterAll(() => separate?.stop());

describe.skipIf(stateDirectory === undefined)(
  'While the key of the secrets is out of reach',
  () => {
    it('webhooks are registered, and sent later; no endpoint is blamed', async () => {
      const path = '/without-key';
      const { receiver, state } = separate;
      const customer = await separate.newCustomer();
      const { id, bareId, secret } = await customer.register(receiver.url(path));
      const deliveries = new DeliveriesTo(receiver, path);
      const events = customer.sampleEvents(3);
      await customer.publish(...events);

      await eventually(
        async () => refused,
        (count) => count > FAULTS.length,
      );

      expect(receiver.requests.all.filter((request) => request.path === path)).toEqual([]);
      const { document } = await customer.call('GET', id);
      expect(document).toMatchObject({ status: 'active', isHealthy: true });
      expect(await state.attemptsOf(bareId)).toEqual([]);
      expect(await state.pendingOf(bareId)).toEqual([]);
      expect((await customer.call('POST', `${id}/test`, TEST)).status).toBe(500);

      isReachable = true;
      await deliveries.each(events);

      expect(deliveries.all.every((request) => isAuthentic(request, secret))).toBe(true);
      expect((await customer.call('POST', `${id}/test`, TEST)).status).toBe(200);
    });
  },
);

const TEST = { body: { eventType: 'message.received' } };
