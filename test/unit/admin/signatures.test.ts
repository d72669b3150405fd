import { describe, expect, it } from 'vitest';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';

const importOf = async (...lines: readonly string[]) => {
  const { run, directory } = commandLineInMemory({ 'signatures.jsonl': lines.join('\n') });
  await run('accounts', 'create', 'acme');
  for (const user of ['ada', 'bob']) await run('users', 'create', user, '--account', 'acme');
  await run('signatures', 'set', 'bob', 'Earlier');
  const { exitCode, out, error } = await run('signatures', 'import', 'signatures.jsonl');
  const signatureOf = async (user: string) =>
    (await directory.signatures.findSignature(user))?.content;
  return {
    exitCode,
    said: out + error,
    stored: [await signatureOf('ada'), await signatureOf('bob')],
  };
};

const lineOf = (user: string, content: string) => JSON.stringify({ user, content });

describe('The import of signatures', () => {
  it('sets one for each line, also of several lines, and removes by an empty text', async () => {
    const { exitCode, said, stored } = await importOf(
      lineOf('ada', 'Ada\nAcme 🖋'),
      `${lineOf('bob', '')}\r`,
      '',
    );

    expect({ exitCode, stored }).toEqual({ exitCode: 0, stored: ['Ada\nAcme 🖋', ''] });
    expect(said).toContain('set in stage local: 2.');
  });

  it('goes on after a user that does not exist, and a text that is too long', async () => {
    const { exitCode, said, stored } = await importOf(
      lineOf('eve', 'Eve'),
      lineOf('ada', 'x'.repeat(1_601)),
      lineOf('bob', 'Bob'),
    );

    expect({ exitCode, stored }).toEqual({ exitCode: 1, stored: ['', 'Bob'] });
    expect(said).toContain('set in stage local: 1.');
    expect(said).toContain('eve: There is no user "eve".');
    expect(said).toContain('ada: A signature has at most 1600 characters');
  });

  it.each([
    ['ada\tAda', 'line 2: Invalid input'],
    ['{ "user": "ada" }', 'line 2: content: Invalid input'],
    ['{ "user": 7, "content": "Ada" }', 'line 2: user: Invalid input'],
    ['{ "user": "ada", "text": "Ada", "content": "Ada" }', 'line 2: Unrecognized key: "text"'],
    ['["ada", "Ada"]', 'line 2: Invalid input'],
  ])('sets none if a line is wrong: %s', async (line, fault) => {
    const { exitCode, said, stored } = await importOf(lineOf('bob', 'Bob'), line);

    expect({ exitCode, stored }).toEqual({ exitCode: 1, stored: ['', 'Earlier'] });
    expect(said).toContain(fault);
  });
});
