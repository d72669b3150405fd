import type { Integration } from './integration.ts';
import type { SealedSecret, SecretPlace, StoredSecret } from './signing-secrets.ts';

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

export interface NewSecret {
  readonly secret: string;
  readonly sealed: SealedSecret;
}

type Owner = Pick<Integration, 'account' | 'id'>;

export const buildSealNew =
  (ports: { secrets: SecretSealer }) =>
  async (secret: string, { account, id }: Owner): Promise<NewSecret> => ({
    secret,
    sealed: await ports.secrets.seal(secret, { account, integration: id, field: 'webhookSecret' }),
  });

type Config = Integration['config'];

/** Seals the secrets that are not sealed yet: new ones, and those stored before sealing existed. */
export const buildSealConfig =
  (ports: { secrets: SecretSealer }) =>
  async (config: Config, { account, id }: Owner): Promise<Config> => {
    const sealed = (secret: StoredSecret, field: SecretPlace['field']) =>
      typeof secret === 'string'
        ? ports.secrets.seal(secret, { account, integration: id, field })
        : secret;
    const { clientSecret, previousSecrets } = config;
    return {
      ...config,
      webhookSecret: await sealed(config.webhookSecret, 'webhookSecret'),
      ...(clientSecret !== undefined && {
        clientSecret: await sealed(clientSecret, 'clientSecret'),
      }),
      ...(previousSecrets && {
        previousSecrets: await Promise.all(
          previousSecrets.map(async ({ secret, expiresAt }) => ({
            secret: await sealed(secret, 'webhookSecret'),
            expiresAt,
          })),
        ),
      }),
    };
  };
