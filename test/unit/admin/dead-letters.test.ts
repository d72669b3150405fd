import { describe, expect, it } from 'vitest';
import type { DeadLetter, MessageAttribute } from '../../../core/delivery/delivery-queue.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';

const texts = (attributes: Record<string, string>): Record<string, MessageAttribute> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, stringValue]) => [
      name,
      { dataType: 'String', stringValue },
    ]),
  );

const letter = (text: string, attributes: Record<string, string> = {}): DeadLetter => ({
  text,
  attributes: texts(attributes),
});

const DELIVERY = letter('{"data":"of a customer"}', {
  delivery: '{"format":1,"account":"acme","integration":"0123456789Ab","event":{"id":"evt_1"}}',
  reason: 'missing or wrong: trigger',
});
const EVENT = letter('{"id":"evt_2","account":"globex","occurredAt":"today","data":{}}', {
  reason: 'occurredAt: is no instant',
});
const REPLAY = letter('{"format":1,"account":"acme","id":"0123456789Ab"}');
const REPORT = letter('{"format":1,"account":"acme","id":"0123456789Ab","epoch":3}', {
  ERROR_CODE: 'AWS.SimpleQueueService.NonExistentQueue',
});
const NOTICE = letter('{"format":1,"id":"1-failed","account":"acme","integration":"0123456789Ab"}');
const CHANGES = letter('{"requestContext":{"condition":"RetryAttemptsExhausted"}}');

const withLetters = () => {
  const line = commandLineInMemory();
  const { deadLetters } = line;
  deadLetters.deliveries.put(DELIVERY);
  deadLetters.events.put(EVENT);
  deadLetters.replays.put(REPLAY, 'a group of its own');
  deadLetters.schedules.put(REPORT);
  deadLetters.notices.put(NOTICE);
  deadLetters['log-stream'].put(CHANGES);
  deadLetters['integration-stream'].put(CHANGES);
  return line;
};

const MANY = 230;

const withMany = (text = (index: number) => `${index}`) => {
  const line = commandLineInMemory();
  for (let index = 0; index < MANY; index++) {
    line.deadLetters.events.put(
      letter(text(index), { reason: index % 2 ? 'not JSON' : 'id: too long' }),
    );
  }
  return line;
};

describe('dead-letters list', () => {
  it('tells of every queue whose letter it is, and why it is one', async () => {
    const { out } = await withLetters().run('dead-letters', 'list', '--json');
    const shown = JSON.parse(out).queues.map(
      ({ queue, letters: [first] }: { queue: string; letters: object[] }) => ({ queue, ...first }),
    );

    expect(shown).toEqual([
      {
        queue: 'events',
        id: 'letter-1',
        sentAt: '2026-11-20T12:00:01.000Z',
        reason: 'occurredAt: is no instant',
        account: 'globex',
        event: 'evt_2',
      },
      expect.objectContaining({
        queue: 'deliveries',
        reason: 'missing or wrong: trigger',
        account: 'acme',
        integration: '0123456789Ab',
        event: 'evt_1',
      }),
      { queue: 'slow-lane' },
      expect.objectContaining({ queue: 'replays', account: 'acme', integration: '0123456789Ab' }),
      { queue: 'retries' },
      expect.objectContaining({ queue: 'notices', account: 'acme', integration: '0123456789Ab' }),
      expect.objectContaining({
        queue: 'schedules',
        reason: 'AWS.SimpleQueueService.NonExistentQueue',
        integration: '0123456789Ab',
      }),
      expect.objectContaining({ queue: 'log-stream', reason: 'RetryAttemptsExhausted' }),
      expect.objectContaining({ queue: 'integration-stream', reason: 'RetryAttemptsExhausted' }),
    ]);
  });

  it('has a table for people, and no text of a message', async () => {
    const { out } = await withLetters().run('dead-letters', 'list');

    expect(out).toContain('deliveries: about 1, looked at 1, listed 1.');
    expect(out).toContain('slow-lane: no dead letters.');
    expect(out).toMatch(/ letter-1 +\S+ +acme +0123456789Ab +- +none: its function died$/m);
    expect(out).not.toContain('of a customer');
  });

  it('hides no letter from others once it is done', async () => {
    const { run, deadLetters } = withMany();
    await run('dead-letters', 'list', '--queue', 'events', '--reason', 'not JSON');

    expect(deadLetters.events.hidden).toEqual([]);
    expect(deadLetters.events.ids).toHaveLength(MANY);
  });

  it('reads no more letters than requested, and lists them with the reason', async () => {
    const { run } = withMany();
    const list = async (...words: string[]) =>
      JSON.parse((await run('dead-letters', 'list', '--queue', 'events', '--json', ...words)).out)
        .queues[0];

    expect(await list('--limit', '37')).toMatchObject({ count: MANY, looked: 37 });
    const all = await list('--limit', '1000', '--reason', 'too long');
    expect(all.looked).toBe(MANY);
    expect(all.letters).toHaveLength(MANY / 2);
    expect(await list('--limit', '1000', '--without-reason')).toMatchObject({ letters: [] });
  });
});

describe('dead-letters show', () => {
  it('shows a letter and its attributes, and its text when it is asked for', async () => {
    const { run } = withLetters();
    const words = ['dead-letters', 'show', 'letter-1', '--queue', 'deliveries'];
    const { out } = await run(...words);

    expect(out).toMatch(/^ +attribute delivery +\{"format":1,"account":"acme"/m);
    expect(out).not.toContain('of a customer');
    expect((await run(...words, '--body')).out).toContain('of a customer');
    expect(JSON.parse((await run(...words, '--json')).out)).toMatchObject({
      id: 'letter-1',
      attributes: { reason: { stringValue: 'missing or wrong: trigger' } },
    });
  });

  it('finds a letter among many, and says when there is none', async () => {
    const { run, deadLetters } = withMany();
    const show = (id: string) => run('dead-letters', 'show', id, '--queue', 'events');

    expect((await show(`letter-${MANY}`)).out).toContain(`letter-${MANY}`);
    expect(await show('letter-0')).toMatchObject({
      exitCode: 1,
      error: 'error: events has no letter letter-0.\n',
    });
    expect(deadLetters.events.hidden).toEqual([]);
  });
});

describe('dead-letters redrive', () => {
  it('puts a letter back with its attributes, in its group, without a reason', async () => {
    const { run, redriven, deadLetters } = withLetters();
    for (const queue of ['deliveries', 'events', 'replays']) {
      await run('dead-letters', 'redrive', '--queue', queue, '--all');
    }
    const { reason: _, ...attributes } = DELIVERY.attributes;

    expect(redriven).toMatchObject([
      { name: 'deliveries', letter: { text: DELIVERY.text, attributes }, group: 'acme' },
      { name: 'events', letter: { text: EVENT.text, attributes: {} }, group: 'globex' },
      { name: 'replays', letter: { text: REPLAY.text }, group: '0123456789Ab' },
    ]);
    expect(redriven[0]?.letter.attributes).toEqual(attributes);
    expect(deadLetters.deliveries.ids).toEqual([]);
  });

  it('takes those of a reason, and leaves the others where others find them', async () => {
    const { run, redriven, deadLetters } = withMany();
    const words = ['dead-letters', 'redrive', '--queue', 'events', '--reason', 'not JSON'];
    const { out } = await run(...words, '--json');

    expect(JSON.parse(out)).toEqual({
      queue: 'events',
      redriven: MANY / 2,
      looked: MANY,
      count: MANY,
      leftOut: 0,
    });
    expect(redriven).toHaveLength(MANY / 2);
    expect(deadLetters.events.ids).toHaveLength(MANY / 2);
    expect(deadLetters.events.hidden).toEqual([]);
  });

  it('leaves letters that are older than their account, and says how many', async () => {
    const { run, redriven, deadLetters, directory } = commandLineInMemory();
    // Between the second letter and the third.
    const createdAt = '2026-11-20T12:00:02.500Z';
    await directory.accounts.add({ name: 'globex', primaryAccount: 'globex', createdAt });
    for (let count = 0; count < 3; count += 1) deadLetters.events.put(EVENT);
    const { out } = await run('dead-letters', 'redrive', '--queue', 'events', '--all');

    expect(out).toBe(
      'Redriven: 1 of 3 letters of events. Left out as older than their account: 2.\n',
    );
    expect(redriven.map(({ letter: { id } }) => id)).toEqual(['letter-3']);
    expect(deadLetters.events.ids).toEqual(['letter-1', 'letter-2']);
    expect(deadLetters.events.hidden).toEqual([]);
  });

  it('takes one, by its id', async () => {
    const { run, redriven } = withMany();
    await run('dead-letters', 'redrive', '--queue', 'events', '--id', 'letter-42');

    expect(redriven.map(({ letter: { id } }) => id)).toEqual(['letter-42']);
  });

  it('takes none a second time that its reader refuses again', async () => {
    const { run, redriven, deadLetters } = withMany();
    redriven.push = (...sent) => {
      for (const { letter: again } of sent) deadLetters.events.put(again);
      return Array.prototype.push.apply(redriven, sent);
    };
    await run('dead-letters', 'redrive', '--queue', 'events', '--all');

    expect(redriven).toHaveLength(MANY);
    expect(deadLetters.events.ids).toHaveLength(MANY);
  });

  it('loses none when the queue takes only some, and counts the sent ones', async () => {
    const { run, redriven, deadLetters } = withMany();
    redriven.push = (...sent) => {
      if (redriven.length >= 25) throw new Error('down');
      return Array.prototype.push.apply(redriven, sent);
    };
    const words = ['dead-letters', 'redrive', '--queue', 'events', '--all'];

    expect(await run(...words)).toMatchObject({
      exitCode: 1,
      error: expect.stringMatching(/^error: Redriven 25 letters, then: Error: down\. /),
    });
    expect(deadLetters.events.ids).toHaveLength(MANY - 25);
    expect(deadLetters.events.hidden).toEqual([]);
  });

  it('loses none when it dies after a letter is sent', async () => {
    const { run, redriven, deadLetters } = commandLineInMemory();
    deadLetters.events.put(EVENT);
    const { remove } = deadLetters.events;
    deadLetters.events.remove = async () => {
      throw new Error('the process is gone');
    };
    await run('dead-letters', 'redrive', '--queue', 'events', '--all');
    expect(deadLetters.events.ids).toEqual(['letter-1']);

    deadLetters.events.remove = remove;
    await deadLetters.events.release(deadLetters.events.hidden);
    await run('dead-letters', 'redrive', '--queue', 'events', '--all');
    expect(redriven.map(({ letter: { id } }) => id)).toEqual(['letter-1', 'letter-1']);
    expect(deadLetters.events.ids).toEqual([]);
  });

  it('refuses reports, which no queue takes', async () => {
    const { run, connections } = withLetters();
    const { exitCode, error } = await run(
      ...['dead-letters', 'redrive', '--queue', 'schedules', '--all'],
    );

    expect(exitCode).toBe(2);
    expect(error).toContain('drop them');
    expect(connections).toEqual([]);
  });
});

describe('dead-letters drop', () => {
  const words = ['dead-letters', 'drop', '--queue', 'events', '--reason', 'not JSON'];

  it('removes what is chosen, with --yes', async () => {
    const { run, deadLetters } = withMany();

    expect((await run(...words, '--yes')).out).toBe(
      `Removed: ${MANY / 2} of ${MANY} letters of events.\n`,
    );
    expect(deadLetters.events.ids).toHaveLength(MANY / 2);
  });

  it('removes nothing unless somebody says yes', async () => {
    const { run, deadLetters, answers } = withMany();
    answers.push(false);

    expect(await run(...words)).toMatchObject({ exitCode: 1, out: '' });
    expect(await run(...words)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('--yes'),
    });
    expect(deadLetters.events.ids).toHaveLength(MANY);
    answers.push(true);
    expect((await run(...words)).exitCode).toBe(0);
    expect(deadLetters.events.ids).toHaveLength(MANY / 2);
  });
});
