import type { DeadLetter } from './delivery-queue.ts';

/** What a dead letter is about, as far as the letter tells. */
export interface LetterFacts {
  /** Why it is a dead letter. Absent when its function died with it again and again. */
  readonly reason?: string;
  readonly account?: string;
  /** The integration's bare id. */
  readonly integration?: string;
  /** The event's id. */
  readonly event?: string;
}

/**
 * Reads a letter without trusting it: nobody could read the message, or it is of another version.
 * Deliveries have the members in the attribute `delivery`. Events, replay requests and hourly retries
 * are JSON; an event has its own `id`, and the others the integration's.
 */
export const factsOf = (letter: DeadLetter): LetterFacts => {
  const body = membersIn(letter.text);
  const head = membersIn(letter.attributes.delivery?.stringValue);
  const isEvent = 'occurredAt' in body;
  return withoutAbsent({
    reason: reasonOf(letter, body),
    account: textIn(head.account) ?? textIn(body.account),
    integration: textIn(head.integration) ?? (isEvent ? undefined : textIn(body.id)),
    event: textIn(membersOf(head.event).id) ?? (isEvent ? textIn(body.id) : undefined),
  });
};

/** In the words of our functions, of Scheduler, or of Lambda for a change of the delivery log. */
const reasonOf = ({ attributes }: DeadLetter, body: Members): string | undefined =>
  attributes.reason?.stringValue ??
  attributes.ERROR_CODE?.stringValue ??
  textIn(membersOf(body.requestContext).condition);

/** SQS takes no other groups. */
const GROUP = /^[\x21-\x7E]{1,128}$/;

/** The message group of a letter's queue: the integration, of an event the account. */
export const groupOf = ({ integration, account }: LetterFacts): string | undefined =>
  [integration, account].find((name) => name !== undefined && GROUP.test(name));

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const membersIn = (text: string | undefined): Members => {
  try {
    return membersOf(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
};

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const withoutAbsent = (facts: Record<keyof LetterFacts, string | undefined>): LetterFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
