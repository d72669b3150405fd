import { type EndpointHeaders, type HeaderField, mapHeaders } from './endpoint-headers.ts';

/** An encrypted secret, which only the functions that sign deliveries can decrypt. */
export interface SealedSecret {
  /** The format of `sealed` and `fingerprint`. A reader opens only the formats that it knows. */
  readonly format: 1;
  readonly keyPair: string;
  /** Base64. */
  readonly sealed: string;
  /** A slow hash, to compare a submitted secret without decrypting. Client secrets have none. */
  readonly fingerprint?: string;
}

/** Whose secret it is. A secret that was sealed for one place cannot be opened in another. */
export interface SecretPlace {
  readonly account: string;
  readonly integration: string;
  /** A replaced webhook secret keeps its place. */
  readonly field: 'webhookSecret' | 'clientSecret' | HeaderField;
}

/** A secret that a rotation replaced, and that receivers may still verify with. */
export interface PreviousSecret<Secret = string> {
  readonly secret: Secret;
  /** RFC 3339: the first instant at which deliveries are no longer signed with the secret. */
  readonly expiresAt: string;
  /** Another was prepared in its place: `X-Service-Signature` never used it. */
  readonly wasNext?: true;
}

/** The secrets that an integration's deliveries are signed with, open or as they are stored. */
export interface SigningSecrets<Secret = string> {
  /** The signing key as the customer sees it. */
  readonly webhookSecret: Secret;
  /** Of a rotation that is prepared: it signs beside `webhookSecret`, until it replaces it. */
  readonly nextWebhookSecret?: Secret | undefined;
  /** Newest first. Expired secrets may be among them. */
  readonly previousSecrets?: readonly PreviousSecret<Secret>[];
}

export const inForce = <Secret>(
  previousSecrets: readonly PreviousSecret<Secret>[] | undefined,
  now: Date,
): readonly PreviousSecret<Secret>[] =>
  (previousSecrets ?? []).filter(({ expiresAt }) => expiresAt > now.toISOString());

/** Never opens: sealed for another place, modified, or its key is lost. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export interface SecretOpener {
  /** Throws `SecretUnreadable`, and other errors when the secret cannot be opened now. */
  open(sealed: SealedSecret, place: SecretPlace): Promise<string>;
}

interface Sealed {
  readonly account: string;
  readonly id: string;
  readonly config: SigningSecrets<SealedSecret> & {
    readonly headers?: EndpointHeaders<SealedSecret>;
  };
}

/** The secrets of an integration that a request to its endpoint is made of. */
export interface OpenSecrets extends SigningSecrets {
  readonly headers: EndpointHeaders<string>;
}

/** Opens the secrets in force, or throws: no request lacks one of them. */
export const buildOpenSecrets =
  (ports: { secrets: SecretOpener; now: () => Date }) =>
  async ({ account, id, config }: Sealed): Promise<OpenSecrets> => {
    const opened = (secret: SealedSecret, field: SecretPlace['field'] = 'webhookSecret') =>
      ports.secrets.open(secret, { account, integration: id, field });
    const previous = config.previousSecrets && inForce(config.previousSecrets, ports.now());
    const [headers, webhookSecret, nextWebhookSecret, ...previousSecrets] = await Promise.all([
      mapHeaders(config.headers ?? {}, opened),
      opened(config.webhookSecret),
      config.nextWebhookSecret && opened(config.nextWebhookSecret),
      ...(previous ?? []).map(async ({ secret, expiresAt }) => ({
        secret: await opened(secret),
        expiresAt,
      })),
    ]);
    return { webhookSecret, nextWebhookSecret, previousSecrets, headers };
  };
