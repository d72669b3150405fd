import type { Integration } from '../../../core/integration/integration.ts';
import type {
  SecretSealer,
  SecretWraps,
  WrapOwner,
} from '../../../core/integration/secret-sealing.ts';
import {
  type SealedSecret,
  type SecretOpener,
  type SecretPlace,
  SecretUnreadable,
} from '../../../core/integration/signing-secrets.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString());

/** A secret that is sealed here is encoded, not encrypted. */
export const sealedInMemory = (secret: string, place: SecretPlace): SealedSecret => ({
  format: 1,
  keyPair: 'memory',
  sealed: encoded([place, secret]),
  ...(place.field === 'webhookSecret' && { fingerprint: encoded(['fingerprint', place, secret]) }),
});

export class InMemorySecrets implements SecretSealer, SecretOpener {
  async seal(secret: string, place: SecretPlace): Promise<SealedSecret> {
    return sealedInMemory(secret, place);
  }

  async open({ sealed }: SealedSecret, place: SecretPlace): Promise<string> {
    if (sealed === undefined) throw new SecretUnreadable('It is not sealed.');
    const [sealedFor, secret] = decoded(sealed);
    if (encoded(sealedFor) !== encoded(place)) {
      throw new SecretUnreadable('It was sealed for another place.');
    }
    return secret;
  }
}

export class InMemorySecretWraps implements SecretWraps {
  async wrap(secret: string, { account, integration }: WrapOwner): Promise<string> {
    return encoded([account, integration, secret]);
  }

  async unwrap(wrapped: string, owner: WrapOwner): Promise<string> {
    const [account, integration, secret] = decoded(wrapped);
    if (account !== owner.account || integration !== owner.integration) {
      throw new Error('It was wrapped for another integration.');
    }
    return secret;
  }
}

export const quickHash = async (text: string, salt: string): Promise<string> =>
  encoded([salt, text]);

const openedInMemory = ({ sealed }: SealedSecret): string => decoded(sealed)[1];

type OpenConfig = Partial<ReturnType<typeof unsealedConfig>>;

/** What `unsealed` makes of it again; by default with the address and the secret of the tests. */
export const aConfig = (
  {
    baseUrl = 'https://hooks.example.com/in',
    webhookSecret = 'a secret of the tests',
    nextWebhookSecret,
    clientSecret,
    headers,
    previousSecrets,
  }: OpenConfig = {},
  { account, id }: Pick<Integration, 'account' | 'id'> = { account: 'acme', id: '0123456789Ab' },
): Integration['config'] => {
  const sealed = (secret: string, field: SecretPlace['field'] = 'webhookSecret') =>
    sealedInMemory(secret, { account, integration: id, field });
  return {
    baseUrl,
    webhookSecret: sealed(webhookSecret),
    ...(nextWebhookSecret !== undefined && { nextWebhookSecret: sealed(nextWebhookSecret) }),
    ...(clientSecret !== undefined && { clientSecret: sealed(clientSecret, 'clientSecret') }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          sealed(value, `headers.${name.toLowerCase() as Lowercase<string>}`),
        ]),
      ),
    }),
    ...(previousSecrets && {
      previousSecrets: previousSecrets.map(({ secret, expiresAt }) => ({
        secret: sealed(secret),
        expiresAt,
      })),
    }),
  };
};

/** The secrets of a configuration as they were before `InMemorySecrets` sealed them. */
const unsealedConfig = ({
  nextWebhookSecret,
  previousSecrets,
  clientSecret,
  headers,
  ...config
}: Integration['config']) => ({
  ...config,
  webhookSecret: openedInMemory(config.webhookSecret),
  ...(nextWebhookSecret && { nextWebhookSecret: openedInMemory(nextWebhookSecret) }),
  ...(clientSecret !== undefined && { clientSecret: openedInMemory(clientSecret) }),
  ...(headers && {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, openedInMemory(value)]),
    ),
  }),
  ...(previousSecrets && {
    previousSecrets: previousSecrets.map(({ secret, expiresAt }) => ({
      secret: openedInMemory(secret),
      expiresAt,
    })),
  }),
});

export const unsealed = <Stored extends Pick<Integration, 'config'>>(stored: Stored) => ({
  ...stored,
  config: unsealedConfig(stored.config),
});
