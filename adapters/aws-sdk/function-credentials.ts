import { fromEnv } from '@aws-sdk/credential-provider-env';

type FromEnv = typeof fromEnv;

/**
 * Reads the credentials of a function's role from the environment. The SDK's default provider also
 * looks into profiles, single sign-on and instance metadata; the bundler replaces it by this module.
 * Like the default, it reads the environment once: in a sandbox the environment never changes.
 */
export const defaultProvider: FromEnv = (init) => {
  const read = fromEnv(init);
  let credentials: Awaited<ReturnType<typeof read>> | undefined;
  return async () => {
    credentials ??= await read();
    return credentials;
  };
};
