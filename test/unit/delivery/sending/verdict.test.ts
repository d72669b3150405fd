import { describe, expect, it } from 'vitest';
import {
  type Asked,
  type Facts,
  judge,
  type Verdict,
  verdictOn,
} from '../../../../core/delivery/sending/verdict.ts';

const NAMES = [
  ...(['isDelivered', 'isSetAside', 'isSent', 'isRefused', 'isWindowOver'] as const),
  ...(['othersConfirmed', 'isInARow', 'mayContinue', 'isWaiting', 'isOfReplay'] as const),
];
const ASKED: readonly Asked[] = ['isSetAside', 'othersConfirmed', 'isInARow'];

const everyOf = <Name extends string>(names: readonly Name[]): Record<Name, boolean>[] =>
  names.reduce<Record<string, boolean>[]>(
    (all, name) => all.flatMap((one) => [false, true].map((is) => ({ ...one, [name]: is }))),
    [{}],
  ) as Record<Name, boolean>[];

const ALL: readonly Facts[] = everyOf(NAMES);

/** As the contract and its rules say it, from the question what becomes of the event. */
const expected = (of: Facts): Verdict => {
  if (of.isDelivered || of.isSetAside) return 'unchanged';
  if (of.isWindowOver && of.isSent && of.othersConfirmed) return 'set-aside';
  const maySurvive = of.isRefused && !of.isInARow;
  if (!maySurvive) return 'failed';
  if (of.mayContinue || of.isWaiting) return 'waits';
  return of.isOfReplay && of.othersConfirmed ? 'waits' : 'failed';
};

describe('the verdict on an attempt that was not confirmed', () => {
  it('is as the rules say for every combination of facts', () => {
    expect(ALL).toHaveLength(1_024);
    expect(ALL.filter((facts) => verdictOn(facts) !== expected(facts))).toEqual([]);
  });

  const NEW_EVENT: Facts = {
    ...{ isDelivered: false, isSetAside: false, isSent: true, isRefused: true },
    ...{ isWindowOver: false, othersConfirmed: true, isInARow: false },
    ...{ mayContinue: false, isWaiting: false, isOfReplay: false },
  };

  it.each<[Verdict, string, Partial<Facts>]>([
    ['failed', 'a new event', {}],
    ['waits', 'a new event with continue', { mayContinue: true }],
    ['waits', 'an event that waited', { isWaiting: true, othersConfirmed: false }],
    ['waits', 'a replayed event while others are confirmed', { isOfReplay: true }],
    ['failed', 'a replayed event, none else', { isOfReplay: true, othersConfirmed: false }],
    ['failed', 'the twentieth in a row', { mayContinue: true, isInARow: true }],
    ['set-aside', 'an event at the end of its window', { isWindowOver: true, mayContinue: true }],
    ['failed', 'no answer for a window', { isRefused: false, othersConfirmed: false }],
    ['failed', 'an event that could not be sent', { isSent: false, isRefused: false }],
    ['unchanged', 'a duplicate of a confirmed event', { isDelivered: true, isWindowOver: true }],
    ['unchanged', 'an event that is set aside', { isSetAside: true, isWindowOver: true }],
  ])('is %s for %s', (verdict, _which, facts) => {
    expect(verdictOn({ ...NEW_EVENT, ...facts })).toBe(verdict);
  });
});

describe('the questions that a verdict needs', () => {
  /** Judges by a full set of facts; resolves to the verdict and what was asked for it. */
  const asking = async (facts: Facts) => {
    const asked: Asked[] = [];
    const answer = (name: Asked) => async () => {
      asked.push(name);
      return facts[name];
    };
    const { isSetAside: _, othersConfirmed: __, isInARow: ___, ...known } = facts;
    const ask = {
      isSetAside: answer('isSetAside'),
      othersConfirmed: answer('othersConfirmed'),
      isInARow: answer('isInARow'),
    };
    return { verdict: (await judge(known, ask)).verdict, asked, known };
  };

  it('lead to the verdict on all facts', async () => {
    for (const facts of ALL) expect((await asking(facts)).verdict).toBe(verdictOn(facts));
  });

  it('are asked only if an answer can change the verdict', async () => {
    for (const facts of ALL) {
      const { asked } = await asking(facts);
      const unknown = (name: Asked) => ASKED.slice(ASKED.indexOf(name) + 1);
      const matters = (name: Asked) =>
        everyOf(unknown(name)).some(
          (others) =>
            verdictOn({ ...facts, ...others, [name]: true }) !==
            verdictOn({ ...facts, ...others, [name]: false }),
        );
      expect(asked.filter((name) => !matters(name))).toEqual([]);
    }
  });

  it('are none for a duplicate of a confirmed event', async () => {
    const confirmed = ALL.filter(({ isDelivered }) => isDelivered);
    for (const facts of confirmed) expect((await asking(facts)).asked).toEqual([]);
  });
});
