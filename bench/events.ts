import { createDelivery } from '../core/delivery/route-event.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import type { EventType } from '../core/event/event-types.ts';
import { Random } from '../test/simulation/chance.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 8;
const NUMBER_DIGITS = 8;

/**
 * An event's id as the platform makes them: `evt_` and a ULID, which tells the time of the event.
 * Its last digits are the event's number.
 */
const timedId = (at: Date, number: number): string =>
  `evt_${digits(at.getTime(), TIME_DIGITS)}${noise(number)}${digits(number, NUMBER_DIGITS)}`;

/** An id that does not tell the time of the event. */
const opaqueId = (number: number): string =>
  `evt_x${noise(number + 1_000_000)}${noise(number)}${digits(number, NUMBER_DIGITS)}`;

const digits = (value: number, length: number): string =>
  Array.from(
    { length },
    (_, index) => DIGITS[Math.floor(value / DIGITS.length ** (length - 1 - index)) % DIGITS.length],
  ).join('');

const noise = (seed: number): string => {
  const random = new Random(seed);
  return Array.from({ length: RANDOM_DIGITS }, () => DIGITS[random.below(DIGITS.length)]).join('');
};

/** A small event, with the number in its id. */
export const eventNumbered = (
  number: number,
  { account, type = 'message.received' }: { account: string; type?: EventType },
): PlatformEvent => {
  const at = new Date();
  return {
    id: timedId(at, number),
    type,
    account,
    occurredAt: at.toISOString(),
    data: { message: { id: `msg_${number}`, body: 'Hello', from: '+13035550100' } },
  };
};

export interface TypicalEventOptions {
  readonly account: string;
  /** Of the body that is sent to an endpoint, within some bytes. */
  readonly bodyBytes: number;
  /** Whether the event's id tells nothing of its time. */
  readonly hasOpaqueId?: boolean;
}

/** As long as the id of every integration. */
const SOME_INTEGRATION = '8Fq2LmZ0aBcD';

/**
 * An event as a messaging platform would send: the text of its message fills the body up. Texts,
 * numbers and names differ from event to event, because the delivery log may compress bodies.
 */
export const typicalEvent = (
  number: number,
  { account, bodyBytes, hasOpaqueId = false }: TypicalEventOptions,
): PlatformEvent => {
  const at = new Date();
  const random = new Random(number);
  const withText = (text: string): PlatformEvent => ({
    id: hasOpaqueId ? opaqueId(number) : timedId(at, number),
    type: 'message.received',
    account,
    occurredAt: at.toISOString(),
    data: dataOf(number, at, text),
  });
  const room = bodyBytes - Buffer.byteLength(createDelivery(withText(''), SOME_INTEGRATION).body);
  return withText(textOf(room, random));
};

const dataOf = (number: number, at: Date, text: string) => {
  const random = new Random(number + 1);
  const phone = () => `+1${random.below(1e10)}`.padEnd(12, '0');
  const sentAt = new Date(at.getTime() - random.below(2_000)).toISOString();
  return {
    message: {
      id: timedId(at, number + 7).replace('evt_', 'msg_'),
      body: text,
      direction: 'in',
      from: phone(),
      to: phone(),
      sentAt,
      segments: 1 + random.below(3),
    },
    contact: {
      id: timedId(new Date(at.getTime() - random.below(1e10)), number + 9).replace('evt_', 'con_'),
      name: `${capital(wordOf(random))} ${capital(wordOf(random))}`,
      phone: phone(),
    },
  };
};

const wordOf = (random: Random): string => WORDS[random.below(WORDS.length)] ?? '';

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

const textOf = (length: number, random: Random): string => {
  let text = '';
  while (text.length < length) {
    const word = random.happens(0.06) ? String(random.below(10_000)) : wordOf(random);
    text += random.happens(0.1) ? `${word}. ` : `${word} `;
  }
  return text.slice(0, Math.max(0, length));
};

const WORDS =
  `hello thanks please order delivery tomorrow appointment address when where could would
should before after around between morning evening monday friday week month invoice payment card the
a to of and in is it you that for on with we number call back later today cancel confirm change move
need package driver street door code office garden kitchen window great sorry problem question
answer yes no maybe sure fine reply stop help link website account password login email price offer
discount sale shop size blue green black white doctor patient visit clinic nurse result test
prescription school teacher parents children class bus train ticket flight my your our their this
these have has had will was are`.split(/\s/);
