/**
 * - `unchanged`: nothing follows but the entry in the log.
 * - `set-aside`: the event is at fault.
 * - `waits`: the event waits for its next attempt; the integration goes on.
 * - `failed`: the integration is failed. The event waits for it.
 */
export type Verdict = 'unchanged' | 'set-aside' | 'waits' | 'failed';

/** What the verdict on an attempt that was not confirmed depends on. */
export interface Facts {
  /** The log has a confirmation of the delivery. */
  readonly isDelivered: boolean;
  readonly isSetAside: boolean;
  /** A request was sent. */
  readonly isSent: boolean;
  /** The endpoint refused it. Else nothing was sent, or nothing was answered for the whole window. */
  readonly isRefused: boolean;
  /** The window of the event is over, and every attempt of it failed. */
  readonly isWindowOver: boolean;
  /** Others were confirmed since the event first failed, or within a window. */
  readonly othersConfirmed: boolean;
  /** With this one, twenty different events were refused in a row. */
  readonly isInARow: boolean;
  /** `onFatalError` is `continue`. */
  readonly mayContinue: boolean;
  /** The event waited in its window before this attempt. */
  readonly isWaiting: boolean;
  /** It was replayed, was refused before, or came while a replay is under way. */
  readonly isOfReplay: boolean;
}

/** The judgement: the first row that holds. */
const ROWS: readonly (readonly [Verdict, (facts: Facts) => boolean])[] = [
  ['unchanged', (of) => of.isDelivered || of.isSetAside],
  ['set-aside', (of) => of.isSent && of.isWindowOver && of.othersConfirmed],
  ['failed', (of) => !of.isRefused],
  ['failed', (of) => of.isInARow],
  ['waits', (of) => of.mayContinue || of.isWaiting || (of.isOfReplay && of.othersConfirmed)],
  ['failed', () => true],
];

export const verdictOn = (facts: Facts): Verdict =>
  ROWS.find(([, holds]) => holds(facts))?.[0] ?? 'failed';

/** In this order, each is asked for only if the verdict depends on it: an answer costs a call. */
const ASKED = ['isSetAside', 'othersConfirmed', 'isInARow'] as const;

export type Asked = (typeof ASKED)[number];

/** Judges what is known, and asks for the rest as far as the verdict depends on it. */
export const judge = async (
  known: Omit<Facts, Asked>,
  ask: Readonly<Record<Asked, () => Promise<boolean>>>,
): Promise<{ readonly verdict: Verdict; readonly facts: Facts }> => {
  let possible = everyAnswer(known);
  for (const name of ASKED) {
    const isNeeded = possible.some(
      (facts) => verdictOn({ ...facts, [name]: true }) !== verdictOn({ ...facts, [name]: false }),
    );
    const is = isNeeded && (await ask[name]());
    possible = possible.filter((facts) => facts[name] === is);
  }
  const [facts] = possible as [Facts];
  return { verdict: verdictOn(facts), facts };
};

const everyAnswer = (known: Omit<Facts, Asked>): readonly Facts[] =>
  [false, true].flatMap((isSetAside) =>
    [false, true].flatMap((othersConfirmed) =>
      [false, true].map((isInARow) => ({ ...known, isSetAside, othersConfirmed, isInARow })),
    ),
  );
