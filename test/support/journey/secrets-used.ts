import { appendFile, readFile } from 'node:fs/promises';

/**
 * The secrets that the journeys of a run have used, which no log may contain: access tokens, secrets of
 * webhooks and clients, texts of messages. A file with one on each line: many processes append to it.
 */
export const secretsFileIn = (stateDirectory: string): string =>
  `${stateDirectory}/secrets-used.txt`;

export type NoteSecrets = (...secrets: readonly unknown[]) => Promise<void>;

/** Does nothing without a directory: the logs are elsewhere then. */
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

/** Short texts can be in a log by chance. */
const isSecret = (text: string): boolean =>
  text.length >= 12 && text !== '[FILTERED]' && !text.includes('\n');

/** The secrets in a document or an event, at any depth. */
export const secretsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    SECRET_MEMBERS.has(name) ? [member] : secretsIn(member),
  );
};

const SECRET_MEMBERS = new Set([
  'webhookSecret',
  'nextWebhookSecret',
  'clientSecret',
  // The header of the tests.
  'X-Api-Key',
  'token',
  // The text of a message, or the whole request of a test.
  'body',
  'X-Service-Signature',
  'webhook-signature',
]);

export const readSecretsUsed = async (stateDirectory: string): Promise<readonly string[]> => {
  const text = await readFile(secretsFileIn(stateDirectory), 'utf8');
  return [...new Set(text.split('\n').filter((line) => line !== ''))];
};
