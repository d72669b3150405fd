import { type EndpointHeaders, mapHeaders } from './endpoint-headers.ts';
import type { Integration } from './integration.ts';
import type { SealedSecret, SecretPlace } from './signing-secrets.ts';

/** Encrypts secrets. A sealer cannot open what it has sealed. */
export interface SecretSealer {
  seal(secret: string, place: SecretPlace): Promise<SealedSecret>;
}

/** A hash too slow to find the text by trial. The same text and salt give the same hash. */
export type SlowHash = (text: string, salt: string) => Promise<string>;

/** The integration that a secret is wrapped for. */
export interface WrapOwner {
  readonly account: string;
  readonly integration: string;
}

/** Encrypts secrets so that only the function that answers repeated requests can decrypt them. */
export interface SecretWraps {
  wrap(secret: string, of: WrapOwner): Promise<string>;
  /** Throws when the secret was wrapped for another integration, or cannot be unwrapped now. */
  unwrap(wrapped: string, of: WrapOwner): Promise<string>;
}

type Owner = Pick<Integration, 'account' | 'id'>;

type Config = Integration['config'];

/** A text is a new secret, which is not sealed yet. */
export type Unsealed = Omit<Config, 'webhookSecret' | 'clientSecret' | 'headers'> &
  Readonly<Record<'webhookSecret', SealedSecret | string>> &
  Readonly<Partial<Record<'clientSecret', SealedSecret | string>>> & {
    readonly headers?: EndpointHeaders<SealedSecret | string>;
  };

/** Seals the new secrets of a configuration; stored ones are sealed. */
export const buildSealConfig =
  (ports: { secrets: SecretSealer }) =>
  async (
    { webhookSecret, clientSecret, headers, ...config }: Unsealed,
    { account, id }: Owner,
  ): Promise<Config> => {
    const sealed = async (secret: SealedSecret | string, field: SecretPlace['field']) =>
      typeof secret === 'string'
        ? ports.secrets.seal(secret, { account, integration: id, field })
        : secret;
    return {
      ...config,
      webhookSecret: await sealed(webhookSecret, 'webhookSecret'),
      ...(clientSecret !== undefined && {
        clientSecret: await sealed(clientSecret, 'clientSecret'),
      }),
      ...(headers && { headers: await mapHeaders(headers, sealed) }),
    };
  };

export const buildSealWebhookSecret =
  (ports: { secrets: SecretSealer }) =>
  (secret: string, { account, id }: Owner): Promise<SealedSecret> =>
    ports.secrets.seal(secret, { account, integration: id, field: 'webhookSecret' });
