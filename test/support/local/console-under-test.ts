import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SentMail } from 'local-aws/aws/mails.ts';
import { type ConsoleServer, startConsoleServer } from '../../../local/console/console-server.ts';
import type { ConsoleUser } from '../../../local/console/console-users.ts';

/** The address that the console is told of. */
export const API = 'http://127.0.0.1:4000';

/** The address of each link to the console. */
export const LINK = 'http://localhost:4080/#code=mcl_1';

/** The origin that may embed the console. */
export const PLATFORM = 'http://127.0.0.1:4090';

export const ADA: ConsoleUser = {
  username: 'ada',
  user: 'u_ada',
  account: 'acme',
  role: 'admin',
  password: 'a-b-c',
};

/** Files as the build of the console leaves them, by path. */
const BUILT = {
  'index.html': '<!doctype html><title>The console</title>',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-abc123.js': `// ${'the console '.repeat(1_000)}`,
  'assets/picture-def456.png': 'PNG',
  '.built-from': 'a digest',
};

/** A server of a console of a few files; `close` also removes the files. */
export const startConsoleUnderTest = async (
  mailed: readonly SentMail[] = [],
): Promise<ConsoleServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'console-'));
  for (const [path, content] of Object.entries(BUILT)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  const server = await startConsoleServer({ port: 0, embedIn: [PLATFORM], users: [ADA] });
  await server.serve({ directory, api: API, mailed, newLink: async () => LINK });
  return {
    ...server,
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
};
