import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Where the AWS SDK's clients in a function find credentials: in the environment, where Lambda puts
 * the credentials of the function's role. The SDK's own default looks into profiles, single sign-on
 * and instance metadata, too; the bundler puts this module in its place.
 */
export const defaultProvider = fromEnv;
