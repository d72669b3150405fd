import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Role } from '../../core/directory/user.ts';
import type { Endpoints } from '../endpoints-file.ts';

/** Of the page that makes a link to the console, as a platform does, and leads there. */
export const LINK_PATH = '/link';

/** Makes a link to the console for a user whom a platform has signed in. Returns its address. */
export const newConsoleLink = async (
  { api, account, region, platform }: Pick<Endpoints, 'api' | 'account' | 'region' | 'platform'>,
  { role = 'admin', page }: { readonly role?: Role; readonly page?: string | undefined } = {},
): Promise<string> => {
  if (platform === undefined) throw new Error('This run has no credentials of a platform.');
  const url = new URL(`${api}/accounts/${account}/console-links`);
  const signer = new SignatureV4({
    service: 'execute-api',
    region,
    credentials: platform,
    sha256: Sha256,
  });
  const { method, headers, body } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'Grace Hopper', role, durationSeconds: 3_600, page }),
  });
  const answer = await fetch(url, { method, headers, body });
  if (!answer.ok) throw new Error(`No link to the console: ${answer.status}.`);
  return String(((await answer.json()) as { url: unknown }).url);
};
