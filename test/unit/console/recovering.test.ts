import { describe, expect, it } from 'vitest';
import {
  pastInstant,
  recoveryChoices,
  retryInWords,
} from '../../../console/src/pages/webhook/recovering.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

describe('the choice since when to recover', () => {
  it('begins with the failure', () => {
    const since = '2026-11-20T10:00:00.000Z';
    const failure = { since, statusCode: 500, lastAttemptAt: since, nextAttemptAt: since };
    expect(recoveryChoices({ failure }, now)[0]).toMatchObject({ since });
  });

  it('has periods up to now', () => {
    expect(recoveryChoices({}, now).map(({ since }) => since)).toEqual([
      '2026-11-20T11:00:00.000Z',
      '2026-11-19T12:00:00.000Z',
      '2026-11-13T12:00:00.000Z',
      '2026-10-21T12:00:00.000Z',
    ]);
  });

  it('takes an instant of the reader’s own that is over', () => {
    const local = '2026-11-19T08:30';
    expect(pastInstant(local, now)).toBe(new Date(local).toISOString());
    expect(pastInstant('2026-11-22T08:30', now)).toBeUndefined();
    expect(pastInstant('', now)).toBeUndefined();
  });
});

describe('a retry in words', () => {
  const attempt = {
    '@type': 'Attempt',
    number: 2,
    trigger: 'manual',
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 40,
  } as const;

  it('says that everything is being sent', () => {
    const confirmed = { ...attempt, outcome: 'delivered' } as const;
    const recovered = { result: 'recovered', status: 'active' } as const;
    expect(retryInWords({ ...recovered, attempt: confirmed })).toEqual({
      type: 'success',
      text: 'Your endpoint confirmed the event. Everything that waits is being sent.',
    });
    expect(retryInWords(recovered)).toEqual({
      type: 'success',
      text: 'Everything that waits is being sent.',
    });
  });

  it('says what the endpoint still does, and what to do', () => {
    const refused = { ...attempt, outcome: 'fatal', statusCode: 404 } as const;
    const told = retryInWords({ result: 'still-failing', status: 'failed', attempt: refused });
    expect(told.type).toBe('error');
    expect(told.text).toMatch(/^Not yet: your endpoint answered 404 \(Not Found\)\. .*path/);
  });

  it('says that there was nothing to retry', () => {
    const text = (status: 'active' | 'busy') =>
      retryInWords({ result: 'nothing-to-retry', status }).text;
    expect(text('active')).toMatch(/nothing to retry/);
    expect(text('busy')).toMatch(/ends the trouble/);
  });
});
