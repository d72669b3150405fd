import * as z from 'zod';
import type { StartEndpoints } from '../../../local/demo/guide.ts';
import { createConsoleSignIn } from '../local/console-sign-in.ts';

const integrationsSchema = z.object({
  member: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      config: z.object({ baseUrl: z.string() }),
      failure: z.object({ statusCode: z.number() }).optional(),
    }),
  ),
});

/** Signs in to the console as one of its users, and calls the API as a page of the console does. */
export const signInToConsole = async (
  { api, console: origin, consoleUsers }: StartEndpoints,
  username: string,
) => {
  const user = consoleUsers.find((candidate) => candidate.username === username);
  if (user === undefined) throw new Error(`There is no user ${username}.`);
  const { access_token: token } = await createConsoleSignIn(origin).signIn(user);
  const headers = { Authorization: `Bearer ${token}`, Origin: origin };
  const call = (path: string, method = 'GET') => fetch(api + path, { method, headers });
  return {
    call,
    integrations: async () => {
      const response = await call('/acme/integrations');
      return integrationsSchema.parse(await response.json()).member;
    },
  };
};
