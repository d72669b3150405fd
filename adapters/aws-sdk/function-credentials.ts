import { fromEnv } from '@aws-sdk/credential-provider-env';

type FromEnv = typeof fromEnv;

/**
 * Where the AWS SDK's clients in a function find credentials: in the environment, where Lambda puts
 * the credentials of the function's role. The SDK's own default looks into profiles, single sign-on
 * and instance metadata, too; the bundler puts this module in its place. As the default does, a
 * client reads the environment once: in a sandbox it never changes.
 */
export const defaultProvider: FromEnv = (init) => {
  const read = fromEnv(init);
  let credentials: Awaited<ReturnType<typeof read>> | undefined;
  return async () => {
    credentials ??= await read();
    return credentials;
  };
};
