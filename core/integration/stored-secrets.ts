import { type Integration, inForce, type SigningSecrets } from './integration.ts';

/** A secret that only what signs can open. */
export interface SealedSecret {
  /** Of `sealed` and `fingerprint`. A reader opens only the formats that it knows. */
  readonly format: 1;
  /** The id of the key pair that the secret is sealed with. */
  readonly keyPair: string;
  /** Base64. */
  readonly sealed: string;
  /**
   * Tells whether another secret in the same place is the same secret, to who cannot open either.
   * Absent of client secrets, which nothing compares.
   */
  readonly fingerprint?: string;
}

/** Secrets lay in the table as they are, before they were sealed: a text is such a secret. */
export type StoredSecret = SealedSecret | string;

/** Whose secret it is. What was sealed for one place cannot be opened in another. */
export interface SecretPlace {
  readonly account: string;
  readonly integration: string;
  /** A replaced webhook secret keeps its place. */
  readonly field: 'webhookSecret' | 'clientSecret';
}

export interface SecretSealer {
  seal(secret: string, place: SecretPlace): Promise<SealedSecret>;
}

/**
 * A secret that no try will open: it was sealed for another place or changed, or its key is lost.
 */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export interface SecretOpener {
  /** Throws `SecretUnreadable`, and other errors when the secret cannot be opened now. */
  open(sealed: SealedSecret, place: SecretPlace): Promise<string>;
}

/** A webhook secret that a call sets or makes, open and sealed. */
export interface NewSecret {
  readonly secret: string;
  readonly sealed: SealedSecret;
}

export const buildSealNew =
  (ports: { secrets: SecretSealer }) =>
  async (
    secret: string,
    { account, id }: Pick<Integration, 'account' | 'id'>,
  ): Promise<NewSecret> => ({
    secret,
    sealed: await ports.secrets.seal(secret, { account, integration: id, field: 'webhookSecret' }),
  });

type Config = Integration['config'];

/** Seals what is not sealed: secrets that a call sets, and those of an item from before. */
export type SealConfig = (
  config: Config,
  of: Pick<Integration, 'account' | 'id'>,
) => Promise<Config>;

export const buildSealConfig =
  (ports: { secrets: SecretSealer }): SealConfig =>
  async (config, { account, id }) => {
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

/** The secrets that the integration's deliveries are signed with now. */
export type OpenSecrets = (
  integration: Pick<Integration, 'account' | 'id' | 'config'>,
) => Promise<SigningSecrets>;

/** Throws what the opener throws: nothing is sent that lacks the signature by a secret in force. */
export const buildOpenSecrets =
  (ports: { secrets: SecretOpener; now: () => Date }): OpenSecrets =>
  async ({ account, id, config }) => {
    const { previousSecrets } = config;
    const opened = async (secret: StoredSecret) =>
      typeof secret === 'string'
        ? secret
        : ports.secrets.open(secret, { account, integration: id, field: 'webhookSecret' });
    const [webhookSecret, ...previous] = await Promise.all([
      opened(config.webhookSecret),
      ...(previousSecrets ? inForce(previousSecrets, ports.now()) : []).map(
        async ({ secret, expiresAt }) => ({
          secret: await opened(secret),
          expiresAt,
        }),
      ),
    ]);
    return { webhookSecret, previousSecrets: previous };
  };
