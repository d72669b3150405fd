import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  type EndpointLimits,
  UndiciWebhookEndpoint,
} from '../../../adapters/http/undici-webhook-endpoint.ts';
import type { PostResult } from '../../../core/delivery/attempt.ts';
import type { GuardPolicy } from '../../../core/integration/address-guard.ts';
import { type CertificateAuthority, createAuthority, trustAuthority } from '../certificates.ts';
import { aWebhookRequest } from '../delivery/webhook-requests.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';

/** Long enough not to be met by an answer of loopback. */
export const PATIENT: EndpointLimits = { connectTimeoutMs: 5_000, responseTimeoutMs: 5_000 };

export interface EndpointUnderTest {
  readonly authority: CertificateAuthority;
  readonly receiver: MisbehavingReceiver;
  /** Closed with its connections after the test. */
  endpoint(limits?: EndpointLimits, policy?: GuardPolicy): UndiciWebhookEndpoint;
  /** What a POST to a receiver that behaves so comes to. */
  postTo(behaviour: Behaviour, limits?: EndpointLimits): Promise<PostResult>;
}

/** A trusted receiver for each test of the file, and endpoints that may reach loopback. */
export const useEndpoint = (): EndpointUnderTest => {
  let authority: CertificateAuthority;
  let distrust = () => {};
  let receiver: MisbehavingReceiver;
  let endpoints: UndiciWebhookEndpoint[] = [];

  beforeAll(async () => {
    authority = await createAuthority();
    distrust = trustAuthority(authority);
  });
  afterAll(() => distrust());
  beforeEach(async () => {
    receiver = await MisbehavingReceiver.start(await authority.issue());
  });
  afterEach(async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    endpoints = [];
    await receiver.close();
  });

  const endpoint: EndpointUnderTest['endpoint'] = (
    limits = PATIENT,
    policy = { allowLoopback: true },
  ) => {
    const made = new UndiciWebhookEndpoint(policy, limits);
    endpoints.push(made);
    return made;
  };
  return {
    get authority() {
      return authority;
    },
    get receiver() {
      return receiver;
    },
    endpoint,
    postTo: (behaviour, limits) => {
      receiver.behave('/', behaviour);
      return endpoint(limits).post(aWebhookRequest({ url: receiver.url() }));
    },
  };
};
