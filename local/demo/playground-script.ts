import type { Endpoints } from '../endpoints-file.ts';

export const playgroundScript = (stateDirectory: string): string =>
  `${stateDirectory}/playground.sh`;

/** A shell script that sets the variables of docs/integrators/getting-started.md. */
export const playgroundScriptText = ({
  adminToken,
  api,
  caFile,
  playground,
}: Endpoints & { readonly playground: string }): string =>
  [
    '# Variables for the service that npm start runs on this machine.',
    `export API=${quoted(api)}`,
    `export TOKEN=${quoted(adminToken)}`,
    `export PLAYGROUND=${quoted(playground)}`,
    `export CA=${quoted(caFile)}`,
    '',
  ].join('\n');

/** The text as one word of a shell, whatever characters it has. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
