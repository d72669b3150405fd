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
  deadLetters.replays.put(REPLAY);
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

  it('shows no reason of a letter that was moved back and made its function die', async () => {
    const { run, deadLetters } = commandLineInMemory();
    deadLetters.events.put(EVENT, { isMovedBySqs: true });

    expect((await run('dead-letters', 'list')).out).toMatch(/ evt_2 +none: its function died$/m);
  });

  it('hides no letter from others once it is done', async () => {
    const { run, deadLetters } = withMany();
    await run('dead-letters', 'list', '--queue', 'events', '--reason', 'not JSON');

    expect(deadLetters.events.hidden).toEqual([]);
    expect(deadLetters.events.ids).toHaveLength(MANY);
  });

  it('hides no letter from others when SQS fails, which it says', async () => {
    const { run, deadLetters } = withMany();
    const { receive } = deadLetters.events;
    let receives = 0;
    deadLetters.events.receive = async () => {
      receives += 1;
      if (receives > 12) throw new Error('down');
      return receive.call(deadLetters.events);
    };
    const { exitCode, error } = await run(
      'dead-letters',
      'list',
      '--queue',
      'events',
      '--limit',
      '1000',
    );

    expect({ exitCode, error }).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('down'),
    });
    expect(deadLetters.events.hidden).toEqual([]);
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
