import { setTimeout as delay } from 'node:timers/promises';
import { DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, inject, it } from 'vitest';
import { canaryCheck } from '../../admin/checks/canary-check.ts';
import { type CheckResult, runChecks } from '../../admin/checks/check.ts';
import { connect } from '../../admin/connection.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { hostOf } from '../support/journey/base-path.ts';
import {
  admin,
  awsClientConfig,
  call,
  eventually,
  newAccount,
  publish,
  register,
  sampleEvent,
} from '../support/journey/platform.ts';
import { newEventId } from '../support/journey/platform-of.ts';
import { outputs, passHoursUntil, schedulesOf } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { carries } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { api } = inject('service');
const receiver = await receiverOfFile();
const account = await newAccount();

const registerAt = (path: string) =>
  register(receiver.url(path), { account: account.account, token: account.adminToken });

const eventOfAccount = () => sampleEvent({ account: account.account });

/** It has the API at a path, and its stage was rolled back: there `verify.test.ts` has a new stage. */
const isEmulator = hostOf(api) !== new URL(api).origin;

interface Letter {
  readonly id: string;
  readonly reason?: string;
  readonly event?: string;
}

/** The letters of a queue that contain an event. */
const lettersOf = async (queue: string, event: string): Promise<readonly Letter[]> => {
  const words = ['dead-letters', 'list', '--queue', queue, '--limit', '1000'];
  const { queues } = (await admin(...words)) as { queues: [{ letters: readonly Letter[] }] };
  return queues[0].letters.filter((letter) => letter.event === event);
};

describe('An operator', () => {
  it('shows a failed integration, its pending events, and an event’s fate', async () => {
    const { bareId } = await registerAt('/refuses');
    receiver.behave('/refuses', answer(500));
    const event = eventOfAccount();
    await publish(event);
    const words = [bareId, '--account', account.account];

    const shown = await eventually(
      () => admin('integrations', 'show', ...words),
      ({ status, pendingEvents }) =>
        status === 'failed' && (pendingEvents as { count: number }).count > 0,
    );
    expect(shown).toMatchObject({
      account: account.account,
      id: bareId,
      trouble: { kind: 'failed', statusCode: 500 },
      oldestPendingEvent: { id: event.id },
      latestUndelivered: { event: { id: event.id }, attempt: { statusCode: 500 } },
    });
    expect(await admin('integrations', 'list', '--account', account.account)).toMatchObject({
      integrations: [{ id: bareId, status: 'failed', pendingEvents: { count: 1, isExact: true } }],
    });
    expect(await admin('deliveries', 'show', event.id, '--integration', ...words)).toMatchObject({
      event: event.id,
      outcome: 'fatal',
      isPending: true,
      isSetAside: false,
    });
  });

  it('revokes a token, which opens nothing from then on', async () => {
    const { account: name, user } = account;
    const issued = await admin('tokens', 'issue', '--user', user, '--role', 'member');
    await admin('tokens', 'revoke', String(issued.tokenId), '--account', name);

    const { status } = await call('GET', `/users/${user}/signature`, {
      token: String(issued.token),
    });

    expect(status).toBe(401);
  });

  it('sees the queues of the stage, and which version is deployed', async () => {
    const { stacks, queues } = await admin('stage', 'status');

    expect(stacks).toContainEqual(
      expect.objectContaining({
        name: expect.stringMatching(/-service$/),
        version: packageJson.version,
      }),
    );
    expect(queues).toHaveLength(15);
  });

  it.skipIf(isEmulator)('verifies from outside that the stage works', async () => {
    const { checks } = await admin('stage', 'verify').catch(
      // Dead letters of other tests are a failure: the exit code is then 1.
      ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>,
    );

    const good = (checks as CheckResult[]).filter(({ result }) => result === 'ok');
    expect(good.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['stacks', 'API', 'docs page', 'unknown path', 'missing token']),
    );
  });

  it('finds a failed integration without a schedule, and makes it', async () => {
    const { bareId } = await registerAt('/without-schedule');
    receiver.behave('/without-schedule', answer(500));
    const event = eventOfAccount();
    await publish(event);
    const [name] = await eventually(
      () => schedulesOf(bareId),
      ({ length }) => length === 1,
    );
    const GroupName = (await outputs).RetryScheduleGroup;
    await new SchedulerClient(awsClientConfig).send(
      new DeleteScheduleCommand({ GroupName, Name: name }),
    );
    const detail = async () => {
      const { checks } = await admin('stage', 'verify').catch(
        ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>,
      );
      return (checks as CheckResult[]).find(({ check }) => check === 'retry schedules')?.detail;
    };

    expect(await detail()).toMatch(bareId);
    receiver.behave('/without-schedule', answer(200));
    expect((await admin('stage', 'make-schedules')).made).toBeGreaterThan(0);
    expect(await schedulesOf(bareId)).toEqual([name]);
    expect((await detail()) ?? '').not.toMatch(bareId);
    const integration = { customer: { account: account.account }, bareId };
    await passHoursUntil(integration, async () => (await schedulesOf(bareId)).length === 0);
    await receiver.requests.where(
      (request) => carries(event)(request) && request.path === '/without-schedule',
    );
  });

  it('sees that an event which is sent to a canary arrives', async () => {
    const { account: canary, adminToken: token } = await newAccount();
    await register(receiver.url('/canary'), { account: canary, token });
    const stage = process.env.SERVICE_STAGE ?? 'local';
    const ports = {
      ...connect({ stage, place: 'the run', clientConfig: awsClientConfig }),
      canaryAccount: async () => canary,
      newEventId,
      now: () => new Date(),
      pause: delay,
    };

    const [result] = await runChecks([canaryCheck(ports)], String);

    expect(result).toMatchObject({ result: 'ok' });
    await receiver.requests.where(({ path }) => path === '/canary');
  });
});

describe('A dead letter', () => {
  it('that its reader takes again is delivered after a move, and is gone', async () => {
    await registerAt('/moved');
    const event = eventOfAccount();
    const { EventsDeadLetterQueueUrl: letters, EventsQueueUrl: events } = await outputs;
    const sqs = new SQSClient(awsClientConfig);
    // As `route-event` does, if the fault was one of its own.
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: letters,
        MessageBody: JSON.stringify(event),
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'a fault since mended' } },
      }),
    );
    const [letter] = await eventually(
      () => lettersOf('events', event.id),
      ({ length }) => length === 1,
    );
    expect(letter?.reason).toBe('a fault since mended');
    // As `aws sqs start-message-move-task` does, which local runs do not have.
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: letters,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    );
    const message = Messages.find(({ MessageId }) => MessageId === letter?.id);
    const { Body: MessageBody, MessageAttributes, ReceiptHandle } = message ?? {};
    await sqs.send(new SendMessageCommand({ QueueUrl: events, MessageBody, MessageAttributes }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: letters, ReceiptHandle }));

    await receiver.requests.where(carries(event));
    expect(await lettersOf('events', event.id)).toEqual([]);
  });
});
