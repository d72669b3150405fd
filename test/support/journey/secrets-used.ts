import { appendFile, readFile } from 'node:fs/promises';

/**
 * What the journeys of a run have used that no log may have: access tokens, secrets of webhooks and
 * of clients, what messages say. One a line, in a file: many processes add to it.
 */
export const secretsFileIn = (stateDirectory: string): string =>
  `${stateDirectory}/secrets-used.txt`;

export type NoteSecrets = (...secrets: readonly unknown[]) => Promise<void>;

/** Notes nothing without a directory: then the logs are elsewhere. */
export const createNoteSecrets = (stateDirectory: string | undefined): NoteSecrets => {
  const noted = new Set<unknown>();
  return async (...secrets) => {
    const unnoted = secrets.filter(
      (secret) => typeof secret === 'string' && isSecret(secret) && !noted.has(secret),
    );
    for (const secret of unnoted) noted.add(secret);
    if (stateDirectory === undefined || unnoted.length === 0) return;
    await appendFile(secretsFileIn(stateDirectory), unnoted.map((line) => `${line}\n`).join(''));
  };
};

/** What may be in a log by chance is none that a test could find. */
const isSecret = (text: string): boolean =>
  text.length >= 12 && text !== '[FILTERED]' && !text.includes('\n');

/** The secrets in a document or an event, wherever they are in it. */
export const secretsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    SECRET_MEMBERS.has(name) ? [member] : secretsIn(member),
  );
};

const SECRET_MEMBERS = new Set([
  'webhookSecret',
  'clientSecret',
  'token',
  // Of a message: what it says. Of what was sent for a test: all of it.
  'body',
  'X-Service-Signature',
  'webhook-signature',
]);

export const readSecretsUsed = async (stateDirectory: string): Promise<readonly string[]> => {
  const text = await readFile(secretsFileIn(stateDirectory), 'utf8');
  return [...new Set(text.split('\n').filter((line) => line !== ''))];
};
