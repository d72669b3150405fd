import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

// `npm run docs` writes the file, from these inputs and with nothing of the service's own code.

export const VECTORS_FILE = 'receivers/vectors.json';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbpxhT2ZqSLM=';
const PREVIOUS_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3q2ZCVuSQlQ=';
const OTHER_SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl4t7Hq8GKYqrTwjUPD8I=';
const PLAIN_SECRET = 'a secret of my own choice';
const ID = '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01';
const SENT_AT = new Date('2026-11-20T12:00:05Z');

const bodyWith = (data: string): string =>
  `{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery","id":"${ID}",` +
  '"webHook":"/integrations/8Fq2LmZ0aBcD","action":"message.received",' +
  `"timestamp":"2026-11-20T12:00:00.000Z","data":${data}}`;

const BODY = bodyWith('{"message":{"id":"msg_1","body":"Hello","direction":"in"}}');
const NUMBERS = bodyWith('{"numbers":[9007199254740993,0.10000000000000000001,1.0]}');

/** Whether a scheme accepts the request, and why. */
interface Verdict {
  readonly isAuthentic: boolean;
  readonly reason: string;
}

export interface Vector {
  readonly name: string;
  /** Those that the receiver knows. */
  readonly secrets: readonly string[];
  readonly verifyAt: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyBase64: string;
  readonly serviceSignature: Verdict;
  readonly standardWebhooks: Verdict;
}

interface Signed {
  /** The newest first. */
  readonly signers?: readonly string[];
  readonly body?: string;
}

const signed = ({ signers = [SECRET], body = BODY }: Signed = {}): Vector['headers'] => {
  const timestamp = String(SENT_AT.getTime() / 1_000);
  const [newest = ''] = signers;
  return {
    'X-Service-Signature': createHmac('sha256', newest).update(body).digest('hex'),
    'webhook-id': ID,
    'webhook-timestamp': timestamp,
    'webhook-signature': signers
      .map((secret) =>
        createHmac('sha256', standardKey(secret)).update(`${ID}.${timestamp}.${body}`),
      )
      .map((hmac) => `v1,${hmac.digest('base64')}`)
      .join(' '),
  };
};

const standardKey = (secret: string): Buffer =>
  secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);

interface Wishes {
  readonly secrets?: readonly string[];
  readonly verifyAt?: Date;
  readonly headers?: Vector['headers'];
  readonly body?: string;
}

type Verdicts = readonly [serviceSignature: Verdict, standardWebhooks: Verdict];

const yes = (reason: string): Verdict => ({ isAuthentic: true, reason });

const no = (reason: string): Verdict => ({ isAuthentic: false, reason });

const both = (verdict: Verdict): Verdicts => [verdict, verdict];

const vector = (
  name: string,
  [serviceSignature, standardWebhooks]: Verdicts,
  { secrets = [SECRET], verifyAt = SENT_AT, headers = signed(), body = BODY }: Wishes = {},
): Vector => ({
  name,
  secrets,
  verifyAt: verifyAt.toISOString(),
  headers,
  body,
  bodyBase64: Buffer.from(body).toString('base64'),
  serviceSignature,
  standardWebhooks,
});

const RIGHT = both(yes('the signature is right'));
const NO_SIGNATURE_FITS = both(no('no signature fits the body and the secret'));

const authentic = (name: string, { body, signers = [SECRET] }: Signed): Vector =>
  vector(name, RIGHT, { secrets: signers, headers: signed({ signers, body }), body });

const TAMPERED_BODY = both(no('the body is not the one that was signed'));

const sixMinutesLater = new Date(SENT_AT.getTime() + 360_000);

const changed = (changes: Vector['headers']): Wishes => ({ headers: { ...signed(), ...changes } });

const { 'X-Service-Signature': HEX = '', 'webhook-signature': BASE64 = '' } = signed();

const signatures = (change: (signature: string) => string): Wishes =>
  changed({ 'X-Service-Signature': change(HEX), 'webhook-signature': change(BASE64) });

const withAnotherDigit = (right: string): string =>
  right.replace(/^(v1,)?(.)/, (_, version = '', first) => version + (first === '0' ? '1' : '0'));

const without = (name: string): Wishes => {
  const { [name]: _left, ...headers } = signed();
  return { headers };
};

const rotated = signed({ signers: [SECRET, PREVIOUS_SECRET] });

export const webhookVectors = (): readonly Vector[] => [
  authentic('a secret that begins with whsec_', {}),
  authentic('a plain secret', { signers: [PLAIN_SECRET] }),
  authentic('emoji and right-to-left text', {
    body: bodyWith('{"message":{"id":"msg_1","body":"👩‍👩‍👧‍👦 שלום مرحبا","direction":"in"}}'),
  }),
  authentic('numbers that a double does not hold', { body: NUMBERS }),
  vector('a rotation, and a receiver with the new secret', RIGHT, { headers: rotated }),
  vector('a rotation, and a receiver with both secrets', RIGHT, {
    headers: rotated,
    secrets: [SECRET, PREVIOUS_SECRET],
  }),
  vector(
    'a rotation, and a receiver with the previous secret',
    [no('X-Service-Signature is by the new secret'), yes('the second signature is right')],
    { headers: rotated, secrets: [PREVIOUS_SECRET] },
  ),
  vector('a letter of the body changed', TAMPERED_BODY, { body: BODY.replace('Hello', 'Jello') }),
  vector('a line feed after the body', TAMPERED_BODY, { body: `${BODY}\n` }),
  vector('the body parsed and serialised', TAMPERED_BODY, {
    headers: signed({ body: NUMBERS }),
    body: JSON.stringify(JSON.parse(NUMBERS)),
  }),
  vector('a signature of the same length', NO_SIGNATURE_FITS, signatures(withAnotherDigit)),
  vector(
    'a shorter signature',
    NO_SIGNATURE_FITS,
    signatures((right) => right.slice(0, -4)),
  ),
  vector(
    'an empty signature',
    NO_SIGNATURE_FITS,
    signatures(() => ''),
  ),
  vector('another secret', NO_SIGNATURE_FITS, { headers: signed({ signers: [OTHER_SECRET] }) }),
  vector(
    'no X-Service-Signature',
    [no('the header is missing'), yes('the signature is right')],
    without('X-Service-Signature'),
  ),
  vector(
    'no webhook-signature',
    [yes('the signature is right'), no('the header is missing')],
    without('webhook-signature'),
  ),
  vector(
    'another webhook-id',
    [yes('it signs the body only'), no('the id is not the one that was signed')],
    changed({ 'webhook-id': `${ID}2` }),
  ),
  vector(
    'another webhook-timestamp',
    [yes('it signs the body only'), no('the timestamp is not the one that was signed')],
    changed({ 'webhook-timestamp': String(SENT_AT.getTime() / 1_000 + 1) }),
  ),
  vector(
    'an old timestamp',
    [yes('it signs no time'), no('the timestamp is more than five minutes old')],
    { verifyAt: sixMinutesLater },
  ),
];

export const vectorsText = (): string => `${JSON.stringify(webhookVectors(), null, 2)}\n`;

if (import.meta.main) await writeFile(VECTORS_FILE, vectorsText());
