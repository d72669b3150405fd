import { ApiPageLink } from '../../shared/explanation-link.tsx';
import { VerificationSamples } from '../../shared/verification-samples.tsx';
import { ReceiveOnLocalhost } from './receive-on-localhost.tsx';

const HEADERS: readonly (readonly [string, string])[] = [
  [
    'X-Service-Signature',
    'HMAC-SHA256 of the raw body in lower-case hexadecimal. The key is the whole secret as you see it, whsec_ included.',
  ],
  ['webhook-id', 'Identifies the delivery, the same on every attempt. Recognise duplicates by it.'],
  ['webhook-timestamp', 'When the attempt was made, in seconds. Refuse old requests.'],
  [
    'webhook-signature',
    'The Standard Webhooks signature of webhook-id, webhook-timestamp and body. During a rotation there are several: accept the request if one is correct.',
  ],
];

export const VerifyTab = () => (
  <div className="tab">
    <section aria-labelledby="verify-sample">
      <h2 id="verify-sample" className="section-title">
        Verify a signature
      </h2>
      <p className="quiet">
        Compute it over the raw bytes of the body, before anything parses them, and compare in
        constant time. Send a test and compare with its headers.
      </p>
      <VerificationSamples />
      <ApiPageLink page="/guides/receivers" words="What each program needs" />
    </section>
    <section aria-labelledby="verify-headers">
      <h2 id="verify-headers" className="section-title">
        The headers of a delivery
      </h2>
      <dl className="explained">
        {HEADERS.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
    <ReceiveOnLocalhost />
  </div>
);
