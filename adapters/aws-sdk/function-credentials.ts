import { fromEnv } from '@aws-sdk/credential-provider-env';

type FromEnv = typeof fromEnv;

/**
 * Reads the credentials of a function's role from the environment, once. The bundler puts it in the
 * place of the SDK's default provider, which also looks into profiles and instance metadata.
 */
export const defaultProvider: FromEnv = (init) => {
  const read = fromEnv(init);
  let credentials: Awaited<ReturnType<typeof read>> | undefined;
  return async () => {
    credentials ??= await read();
    return credentials;
  };
};
