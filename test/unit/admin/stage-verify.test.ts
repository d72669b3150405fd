import { describe, expect, it } from 'vitest';
import { type AwsPorts, awsChecks } from '../../../admin/checks/aws-checks.ts';
import { type CanaryPorts, canaryCheck } from '../../../admin/checks/canary-check.ts';
import { type Check, type CheckResult, runChecks } from '../../../admin/checks/check.ts';
import { buildOverview } from '../../../admin/connection.ts';
import type { DeliveryIndex } from '../../../core/delivery/search/delivery-index.ts';
import { AdministrationError } from '../../../core/refusal.ts';
import { InMemoryDeadLetterQueue } from '../../support/delivery/in-memory-dead-letter-queue.ts';
import { InMemoryDeliveryLog } from '../../support/delivery/in-memory-delivery-log.ts';
import { attemptOf, deliveryAt, NOON } from '../../support/delivery/logged-deliveries.ts';
import { InMemoryPendingEvents } from '../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryPendingView } from '../../support/delivery/pending/in-memory-pending-view.ts';
import { InMemorySetAsideEvents } from '../../support/delivery/pending/in-memory-set-aside-events.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { untouchable } from '../../support/untouchable.ts';

const run = (...checks: Check[]) => runChecks(checks, (fault) => String(fault));

describe('stage verify', () => {
  const CHECKS: CheckResult[] = [
    { check: 'stacks', result: 'ok', detail: 'complete' },
    { check: 'canary', result: 'not in this stage', detail: 'the stage has no canary' },
  ];
  const FAILED: CheckResult = { check: 'API', result: 'failed', detail: 'no answer' };

  it('shows every check, and exits with 0 if none failed', async () => {
    const { exitCode, out } = await commandLineInMemory({}, { checks: CHECKS }).run(
      'stage',
      'verify',
    );

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^CHECK +RESULT +DETAIL\nstacks +ok +complete\ncanary +not in this stage/m);
    expect(out).toMatch(/\nNo check failed\.\n$/);
  });

  it('exits with 1 if a check failed, in text and in JSON', async () => {
    const { run: command } = commandLineInMemory({}, { checks: [...CHECKS, FAILED] });
    const text = await command('stage', 'verify');
    const json = await command('stage', 'verify', '--json');

    expect([text.exitCode, json.exitCode]).toEqual([1, 1]);
    expect(text.out).toMatch(/\n1 of 3 checks failed\.\n$/);
    expect(JSON.parse(json.out)).toEqual({
      stage: 'local',
      place: 'a test',
      checks: [...CHECKS, FAILED],
    });
  });
});

describe('a check that fails', () => {
  it.each([
    ['with an error', () => Promise.reject(new Error('broken')), 'Error: broken'],
    ['with anything else', () => Promise.reject('broken'), 'broken'],
    ['by no end', () => new Promise<string>(() => {}), 'no result within 0.01 s'],
  ])('hides no other: %s', async (_how, look, detail) => {
    const works: Check = { name: 'works', look: async () => 'fine' };

    expect(await run({ name: 'breaks', limitMs: 10, look }, works)).toEqual([
      { check: 'breaks', result: 'failed', detail },
      { check: 'works', result: 'ok', detail: 'fine' },
    ]);
  });
});

const TOPIC = 'arn:aws:sns:eu-west-1:111122223333:on-call';

const ENABLED = { state: 'Enabled', lastResult: undefined };
const OFF = { state: 'Disabling' };
const OK = { lastResult: 'OK' };
const READ = { name: 'events', mappings: [ENABLED] };

const awsResults = async (overrides: Partial<AwsPorts> = {}) => {
  const stack = { name: 'service', status: 'UPDATE_COMPLETE', outputs: { Version: '1.2.3' } };
  const ports: AwsPorts = {
    stacks: async () => [{ name: 'state', status: 'CREATE_COMPLETE', outputs: {} }, stack],
    alarms: async () => [{ name: 'Late', actions: [TOPIC] }],
    confirmedSubscriptions: async () => 2,
    mustBeHeard: true,
    eventSources: async () => [READ, { name: 'log-stream', mappings: [{ ...ENABLED, ...OK }] }],
    deadLetters: async () => ({
      names: async () => ['events', 'deliveries'],
      queue: async () => new InMemoryDeadLetterQueue(),
    }),
    troubleSchedules: async () => ({
      check: async () => ({ inTrouble: 2, without: [], percent: 100 }),
    }),
    ...overrides,
  };
  const results = await run(...awsChecks(ports));
  return Object.fromEntries(
    results.map(({ check, result, detail }) => [check, `${result}: ${detail}`]),
  );
};

describe('what AWS tells of a stage', () => {
  it('passes when complete, without dead letters, and with alarms received', async () => {
    expect(await awsResults()).toEqual({
      stacks: 'ok: state: CREATE_COMPLETE, service: UPDATE_COMPLETE, version 1.2.3',
      'event sources': 'ok: each of 2 is read',
      'dead letters': 'ok: none in 2 queues',
      'retry schedules': 'ok: each of 2 integrations in trouble, in 100 % of the table, has one',
      alarms: 'ok: all 1 have an action',
      'alarm topic': `ok: ${TOPIC}: 2 confirmed`,
    });
  });

  it.each(['UPDATE_ROLLBACK_COMPLETE', 'UPDATE_IN_PROGRESS', 'CREATE_FAILED'])(
    'shows a stack that is not complete: %s',
    async (status) => {
      const stacks = async () => [{ name: 'service', status, outputs: {} }];

      expect(await awsResults({ stacks })).toMatchObject({
        stacks: expect.stringMatching(`^failed: .*service: ${status}$`),
      });
    },
  );

  it.each([
    ['is disabled', [{ ...ENABLED, state: 'Disabled' }], 'Disabled'],
    ['is gone', [], 'no mapping'],
    ['cannot read', [{ ...ENABLED, lastResult: 'PROBLEM: denied' }], 'PROBLEM: denied'],
    ['is enabled beside one that is not', [ENABLED, { ...ENABLED, ...OFF }], 'Disabling'],
  ])('names a stream whose mapping %s', async (_how, mappings, told) => {
    const eventSources = async () => [READ, { name: 'log-stream', mappings }];

    expect(await awsResults({ eventSources })).toMatchObject({
      'event sources': expect.stringMatching(`^failed: [^:]*: log-stream: ${told}$`),
    });
  });

  it('names integrations in trouble without a schedule, ten at most', async () => {
    const without = Array.from({ length: 12 }, (_, index) => anIntegration({ id: `id${index}` }));
    const troubleSchedules = async () => ({
      check: async () => ({ inTrouble: 40, without, percent: 0 }),
    });

    expect(await awsResults({ troubleSchedules })).toMatchObject({
      'retry schedules': expect.stringMatching(
        /^failed: .*12 of 40 .*, in less than 1 % of the table, have none: acme\/id0, .*acme\/id9 and 2 more: run "stage make-schedules"$/,
      ),
    });
  });

  it('shows where dead letters are', async () => {
    const filled = new InMemoryDeadLetterQueue();
    filled.put({ text: 'x', attributes: {} });
    const queue = async (name: string) =>
      name === 'replays' ? filled : new InMemoryDeadLetterQueue();

    expect(
      await awsResults({
        deadLetters: async () => ({ names: async () => ['events', 'replays'], queue }),
      }),
    ).toMatchObject({
      'dead letters': expect.stringMatching(/^failed: .*replays: 1$/),
    });
  });

  it('shows alarms that notify nobody', async () => {
    const alarms = async () => [
      { name: 'Late', actions: [TOPIC] },
      { name: 'Mute', actions: [] },
    ];

    expect(await awsResults({ alarms, confirmedSubscriptions: async () => 0 })).toMatchObject({
      alarms: expect.stringMatching(/^failed: .*1 of 2 alarms have no action: Mute$/),
      'alarm topic': expect.stringMatching(
        /^failed: .*without a confirmed subscription: .*on-call$/,
      ),
    });
  });

  it('is good if nobody hears the alarms of a stage other than prod', async () => {
    const unheard = { confirmedSubscriptions: async () => 0, mustBeHeard: false };

    expect(await awsResults(unheard)).toMatchObject({
      'alarm topic': `not in this stage: without a confirmed subscription: ${TOPIC}`,
    });
  });

  it.each([
    ['none', async () => []],
    [
      'a place that knows of none',
      () => Promise.reject(Object.assign(new Error(), { name: 'UnknownOperationException' })),
    ],
  ])('has no alarms in a stage with %s', async (_which, alarms) => {
    expect(await awsResults({ alarms, eventSources: alarms })).toMatchObject({
      'event sources': expect.stringMatching(/^not in this stage/),
      alarms: 'not in this stage: the stage has no alarms',
      'alarm topic': 'not in this stage: no alarm notifies a topic',
    });
  });

  it('is not good if alarms may not be read', async () => {
    const alarms = () => Promise.reject(new Error('AccessDenied'));

    expect(await awsResults({ alarms })).toMatchObject({
      alarms: 'failed: Error: AccessDenied',
      'alarm topic': 'failed: Error: AccessDenied',
    });
  });
});

const CANARY = 'canary';

/** Looks at a canary whose endpoint answers with each status in turn, one for each pause. */
const canary = async (
  integration: Parameters<typeof anIntegration>[0],
  answers: number[],
  account = CANARY,
) => {
  const [integrations, log] = [new InMemoryIntegrations(), new InMemoryDeliveryLog()];
  const stored = anIntegration({ account: CANARY, ...integration });
  await integrations.add(stored);
  const pending = new InMemoryPendingView(
    new InMemoryPendingEvents(),
    new InMemorySetAsideEvents(),
  );
  const delivery = { ...deliveryAt(0, 'evt_new'), account: CANARY, integration: stored.id };
  const sent: unknown[] = [];
  const ports: CanaryPorts = {
    canaryAccount: async () => account || undefined,
    overview: async () =>
      buildOverview({
        integrations,
        deliveryLogReader: log,
        pending,
        index: untouchable<DeliveryIndex>('the index of the search'),
        now: () => NOON,
      }),
    eventsQueue: async () => ({ send: async (event) => sent.push(event) }),
    newEventId: () => 'evt_new',
    now: () => NOON,
    pause: async () => {
      const status = answers.shift();
      if (status === undefined) throw new AdministrationError('nothing came');
      await log.list([delivery]);
      await log.record(attemptOf(delivery, status, { number: 3 - answers.length }));
    },
  };
  const [result] = await run(canaryCheck(ports));
  return { result, sent };
};

describe('the canary', () => {
  it('passes once the log has its event as delivered, also after a backoff', async () => {
    const { result, sent } = await canary({}, [504, 204]);

    expect(result).toMatchObject({ result: 'ok', detail: expect.stringContaining('evt_new') });
    expect(sent).toEqual([
      expect.objectContaining({ id: 'evt_new', account: CANARY, type: 'message.received' }),
    ]);
  });

  it.each([
    ['refuses the event', {}, [500], 'refused the event'],
    ['gets no event', {}, [], 'nothing came'],
    ['is switched off', { active: false }, [204], 'is inactive'],
    ['belongs to another account', { account: 'acme' }, [204], 'has no integration'],
  ])('is not well if its endpoint %s', async (_why, integration, answers, detail) => {
    const { result } = await canary(integration, answers);

    expect(result).toMatchObject({ result: 'failed', detail: expect.stringContaining(detail) });
  });

  it('is not in a stage without one, and no event is sent', async () => {
    const { result, sent } = await canary({}, [], '');

    expect([result?.result, sent]).toEqual(['not in this stage', []]);
  });
});
