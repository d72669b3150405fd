import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { EndpointLimits } from '../../../adapters/http/final-answer.ts';
import * as source from '../../../adapters/http/https-webhook-endpoint.ts';
import type { PostResult } from '../../../core/delivery/attempt.ts';
import type { GuardPolicy } from '../../../core/integration/address-guard.ts';
import { type CertificateAuthority, createAuthority, trustAuthority } from '../certificates.ts';
import { aWebhookRequest } from '../delivery/webhook-requests.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';
import { importBundled } from './bundled-module.ts';

/** Long enough not to be met by an answer of loopback. */
export const PATIENT: EndpointLimits = { connectTimeoutMs: 5_000, responseTimeoutMs: 5_000 };

/** The endpoint as it is written, and as it is deployed: bundled and minified. */
export const BUILDS = ['source', 'bundle'] as const;

type EndpointOptions = ConstructorParameters<typeof source.HttpsWebhookEndpoint>[2];

export interface EndpointUnderTest {
  readonly authority: CertificateAuthority;
  readonly receiver: MisbehavingReceiver;
  /** Closed with its connections after the test. */
  endpoint(
    limits?: EndpointLimits,
    policy?: GuardPolicy,
    options?: EndpointOptions,
  ): source.HttpsWebhookEndpoint;
  /** What a POST to a receiver that behaves so comes to. */
  postTo(behaviour: Behaviour, limits?: EndpointLimits): Promise<PostResult>;
}

const bundled = (): Promise<typeof source> =>
  importBundled('adapters/http/https-webhook-endpoint.ts');

/** A trusted receiver for each test of the file, and endpoints that may reach loopback. */
export const useEndpoint = (build: (typeof BUILDS)[number] = 'source'): EndpointUnderTest => {
  let HttpsWebhookEndpoint = source.HttpsWebhookEndpoint;
  let authority: CertificateAuthority;
  let distrust = () => {};
  let receiver: MisbehavingReceiver;
  let endpoints: source.HttpsWebhookEndpoint[] = [];

  beforeAll(async () => {
    if (build === 'bundle') ({ HttpsWebhookEndpoint } = await bundled());
    authority = await createAuthority();
    distrust = trustAuthority(authority);
  });
  afterAll(() => distrust());
  beforeEach(async () => {
    receiver = await MisbehavingReceiver.start(await authority.issue());
  });
  afterEach(async () => {
    for (const endpoint of endpoints) endpoint.close();
    endpoints = [];
    await receiver.close();
  });

  const endpoint: EndpointUnderTest['endpoint'] = (
    limits = PATIENT,
    policy = { allowLoopback: true },
    options = {},
  ) => {
    const made = new HttpsWebhookEndpoint(policy, limits, options);
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
