import type {
  Attempt,
  OutcomeClass,
  PostResult,
  Reason,
  Trigger,
} from '../../core/delivery/attempt.ts';

/** An attempt as attributes of an item. Instants are RFC 3339. */
export interface StoredAttempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: OutcomeClass;
  /** Absent without an answer: then there is `reason` and, if the system gave one, `code`. */
  readonly statusCode?: number;
  readonly reason?: Reason;
  readonly code?: string;
  readonly nextAttemptAt?: string;
  /** The first KiB of the response's body; absent without an answer, or when it is empty. */
  readonly response?: string | undefined;
}

export const storedAttempt = ({ outcome, nextAttemptAt, ...attempt }: Attempt): StoredAttempt => {
  const { result } = outcome;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: outcome.class,
    ...(result.kind === 'answered'
      ? {
          statusCode: result.statusCode,
          ...(result.responseStart !== '' && { response: result.responseStart }),
        }
      : { reason: result.reason, ...(result.code !== undefined && { code: result.code }) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
};

/** The attempt, of the delivery that `owner` identifies. */
export const attemptFrom = (
  stored: StoredAttempt,
  { account, integration, event }: Pick<Attempt, 'account' | 'integration' | 'event'>,
): Attempt => ({
  account,
  integration,
  event,
  number: stored.number,
  trigger: stored.trigger,
  startedAt: new Date(stored.startedAt),
  durationMs: stored.durationMs,
  outcome: { class: stored.outcome, result: resultOf(stored) },
  ...(stored.nextAttemptAt !== undefined && { nextAttemptAt: new Date(stored.nextAttemptAt) }),
});

const resultOf = ({ statusCode, reason, code, response = '' }: StoredAttempt): PostResult => {
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart: response };
  if (reason === undefined) throw new Error('an attempt has neither a status nor a reason');
  return { kind: 'unanswered', reason, ...(code !== undefined && { code }) };
};
