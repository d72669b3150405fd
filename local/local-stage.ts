import { fileURLToPath } from 'node:url';
import type { Assemble } from 'local-aws/local-aws.ts';
import { synthesise } from 'local-aws/synthesise.ts';
import type { ConsoleAddresses } from './console/sign-in-addresses.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Assembles stage `local`. Without a console no user can sign in, and no page may call the API. The
 * functions need to know how long an hour of the Scheduler lasts.
 */
export const assembleLocalStage =
  (addresses?: ConsoleAddresses): Assemble =>
  async (directory, { hourSeconds, signal }) => {
    const context = {
      stage: 'local',
      hourSeconds,
      ...(addresses && contextOfConsole(addresses)),
    };
    await synthesise(directory, { file: 'bin/app.ts', project: PROJECT, context }, signal);
  };

/** May create links to the console. */
export const PLATFORM_ROLE = 'arn:aws:iam::000000000000:role/platform';

const contextOfConsole = ({ origin, signIn }: ConsoleAddresses): Record<string, string> => ({
  consoleOrigin: origin,
  consoleLinkRoles: PLATFORM_ROLE,
  signInIssuer: signIn.issuer,
  signInClientId: signIn.clientId,
  signInJwksUri: signIn.jwksUri,
});
