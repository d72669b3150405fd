import { describe, expect, it } from 'vitest';
import { nextDelayMs } from '../../core/delivery/sending/backoff.ts';
import { limits } from '../../lib/limits.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const HOUR_MS = 3_600_000;

/** Messages of a batch of the retry queue. */
const BATCH = 10;

/** What a retry does beside its attempt: reading, the body of the answer, writing. */
const SETTLING_MS = 2_000;

/** Receives of a delivery whose endpoint answers 504 at once, and whose delays are the shortest. */
const receivesOfWindow = (): number => {
  let sinceFirstMs = 0;
  for (let number = 1; ; number += 1) {
    const delayMs = nextDelayMs(limits.backoff, { number, sinceFirstMs, random: 0 });
    if (delayMs === undefined) return number;
    sinceFirstMs += delayMs;
  }
};

describe.each(stageNames)('the hourly schedules of %s', (stageName) => {
  const stage = synthesise(stageName);
  const [group] = stage.all('AWS::Scheduler::ScheduleGroup');
  const trust = stage.at('RetrySchedules/Role').AssumeRolePolicyDocument;

  it('are in a group named for the stage', () => {
    expect(group?.properties.Name).toBe(`integrations-${stageName}`);
  });

  it('have a role that Scheduler takes for schedules of this group alone', () => {
    const { Statement } = trust as { Statement: Properties[] };
    const sources = Statement.map(({ Condition }) => {
      const { StringEquals } = Condition as { StringEquals: Properties };
      return stage.pathOf(StringEquals['aws:SourceArn']);
    });

    expect(Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          StringEquals: {
            'aws:SourceAccount': { Ref: 'AWS::AccountId' },
            'aws:SourceArn': expect.anything(),
          },
        },
      },
    ]);
    expect(sources).toEqual([group?.path]);
  });

  it('put their messages on the retry queue, or on their dead-letter queue', () => {
    const { RETRY_QUEUE_ARN, SCHEDULE_DEAD_LETTER_QUEUE_ARN } = stage.variablesOf('DeliverWebhook');

    expect(
      [RETRY_QUEUE_ARN, SCHEDULE_DEAD_LETTER_QUEUE_ARN].map((arn) => stage.pathOf(arn)),
    ).toEqual(['Retries/Queue', 'RetrySchedules/DeadLetterQueue']);
  });

  it('are the same to every function that creates or deletes them', () => {
    const targets = stage.all('AWS::Lambda::Function').flatMap(({ path }) => {
      const variables = stage.variablesOf(path.split('/')[0] ?? '');
      const names = Object.keys(variables).filter((name) =>
        /^SCHEDULE_|^RETRY_(QUEUE_ARN|INTERVAL_MS)$/.test(name),
      );
      // A replay asks how long an event may have been due.
      return names.every((name) => name === 'RETRY_INTERVAL_MS')
        ? []
        : [JSON.stringify(names.sort().map((name) => stage.pathOrText(variables[name])))];
    });

    // One more where the canary is: its integration may be in trouble.
    expect(targets).toHaveLength(settingsFor(stageName)?.canary ? 6 : 5);
    expect(new Set(targets).size).toBe(1);
  });
});

describe.each(stageNames)('what is waited for in %s', (stageName) => {
  const stage = synthesise(stageName);
  const variables = stage.variablesOf('DeliverWebhook');

  it('is what the contract says', () => {
    expect(variables).toMatchObject({
      BACKOFF_FIRST_DELAY_MS: '15000',
      BACKOFF_MAX_DELAY_MS: `${HOUR_MS}`,
      BACKOFF_WINDOW_MS: `${12 * HOUR_MS}`,
      BUSY_AFTER: '20',
      BACKOFF_SLOTS: '50',
      PROBES: '3',
      RETRY_INTERVAL_MS: `${HOUR_MS}`,
    });
  });

  it('is five seconds for a connection and fifteen for an answer', () => {
    const attempting = ['DeliverSlowly', 'DeliverWebhook', 'RetryHourly', 'SendApi'];
    const every = (value: string) => Object.fromEntries(attempting.map((name) => [name, value]));
    expect(stage.variable('CONNECT_TIMEOUT_MS')).toEqual(every('5000'));
    expect(stage.variable('RESPONSE_TIMEOUT_MS')).toEqual(every('15000'));
  });

  it('leaves a batch 45 seconds, and hides failed deliveries for 270', () => {
    expect(stage.at('DeliverWebhook/Function').Timeout).toBe(45);
    expect(stage.at('RetryHourly/Function').Timeout).toBe(45);
    expect(stage.at('Deliveries/Queue').VisibilityTimeout).toBe(270);
    expect(stage.at('Monitoring/deliveries-late').Threshold).toBe(1_350);
  });
});

describe('what is waited for in local', () => {
  it('is shorter by as much as an hour of the local Scheduler', () => {
    const shortened = new SynthesisedStage('local', { hourSeconds: '10' });

    expect(shortened.variablesOf('DeliverWebhook')).toMatchObject({
      RETRY_INTERVAL_MS: '10000',
      BACKOFF_FIRST_DELAY_MS: '42',
      BACKOFF_MAX_DELAY_MS: '10000',
      BACKOFF_WINDOW_MS: '120000',
    });
  });
});

/** How long an integration waits at most for its hourly retry, if each attempt hangs. */
const workedOffWithinMs = (stageName: (typeof stageNames)[number], inTrouble: number): number => {
  const settings = settingsFor(stageName) ?? expect.fail('no such stage');
  const batches = Math.ceil(inTrouble / BATCH);
  const rounds = Math.ceil(batches / settings.maximumConcurrency.retry);
  return rounds * (limits.attempt.responseTimeoutMs + SETTLING_MS);
};

describe('the retries of integrations whose endpoints all hang', () => {
  // A retry half an hour late would be followed by the next hour's too soon to be due.
  it.each([
    ['prod', 20_000],
    ['dev', 1_000],
  ] as const)('are all made within half an hour in %s: %i', (stageName, inTrouble) => {
    expect(workedOffWithinMs(stageName, inTrouble)).toBeLessThan(HOUR_MS / 2);
  });
});

describe('a delivery that comes back and back', () => {
  it('is given up long after its backoff would have ended', () => {
    expect(4 * receivesOfWindow()).toBeLessThanOrEqual(limits.receives);
  });
});
