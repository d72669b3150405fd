import { describe, expect, it } from 'vitest';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';

const CLEAR_SCREEN = '\u001b[2J';
const FOREIGN = `evt${CLEAR_SCREEN}\u0007\r\t\u009b31m\u007f\u061c\u200e\u202e\u2066\u2028\u2029`;
const ESCAPED =
  'evt\\u001b[2J\\u0007\\u000d\\u0009\\u009b31m\\u007f\\u061c\\u200e\\u202e\\u2066\\u2028\\u2029';

/** Everything but printed characters, and the ends of lines. */
const CONTROLS = /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

const withLetter = (event: string) => {
  const line = commandLineInMemory();
  line.deadLetters.events.put({
    text: JSON.stringify({ id: event, account: 'acme' }),
    attributes: { reason: { dataType: 'String', stringValue: `no ${event}` } },
  });
  return line;
};

describe('text from outside', () => {
  it.each([['list'], ['list', '--json']])(
    'cannot control the terminal of an operator: dead-letters %s %s',
    async (...words) => {
      const { out } = await withLetter(FOREIGN).run('dead-letters', ...words);

      expect(out).not.toMatch(CONTROLS);
      expect(out).toContain('evt\\u001b[2J');
    },
  );

  it('is shown with escapes, and cannot add a line to a table', async () => {
    const { out } = await withLetter(`${FOREIGN}\nevents: no dead letters.`).run(
      'dead-letters',
      'list',
    );

    expect(out).toContain(`no ${ESCAPED}\\u000aevents: no dead letters.\n`);
  });

  it('is the same text in the JSON that a script reads', async () => {
    const { out } = await withLetter(FOREIGN).run('dead-letters', 'list', '--json');

    expect(JSON.parse(out).queues[0].letters[0].reason).toBe(`no ${FOREIGN}`);
  });

  it.each([
    ['accounts', 'show', FOREIGN],
    ['tokens', FOREIGN],
  ])('cannot control the terminal from an error: %s', async (...words) => {
    const { error } = await commandLineInMemory().run(...words);

    expect(error).not.toMatch(CONTROLS);
    expect(error).toContain('evt\\u001b[2J');
  });

  it.each(['👩‍👩‍👧 Grüße', 'שלום עולם', 'مرحبا', 'नमस्ते', '日本語'])(
    'stays as it is: %s',
    async (text) => {
      const { out } = await withLetter(text).run('dead-letters', 'list');

      expect(out).toContain(`no ${text}\n`);
    },
  );
});
