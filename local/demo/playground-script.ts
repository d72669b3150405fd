import { readFile, rm } from 'node:fs/promises';
import type { Endpoints } from '../endpoints-file.ts';
import { writeForOwner } from '../owner-file.ts';

export const playgroundScript = (stateDirectory: string): string =>
  `${stateDirectory}/playground.sh`;

/** For a shell to source: what the README's ten minutes as an integrator call. */
export const writePlaygroundScript = (
  file: string,
  endpoints: Endpoints & { readonly playground: string },
): Promise<void> => writeForOwner(file, scriptOf(endpoints));

/** Leaves the file alone when a later run has written its own. */
export const removePlaygroundScript = async (
  file: string,
  endpoints: Endpoints & { readonly playground: string },
): Promise<void> => {
  const left = await readFile(file, 'utf8').catch(() => undefined);
  if (left === scriptOf(endpoints)) await rm(file, { force: true });
};

const scriptOf = ({
  adminToken,
  api,
  caFile,
  playground,
}: Endpoints & { readonly playground: string }): string =>
  [
    '# Of the service that npm start runs on this machine.',
    `export API=${quoted(api)}`,
    `export TOKEN=${quoted(adminToken)}`,
    `export PLAYGROUND=${quoted(playground)}`,
    `export CA=${quoted(caFile)}`,
    '',
  ].join('\n');

/** One word for a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
