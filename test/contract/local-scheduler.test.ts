import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING_ROLE, startTestRun, type TestRun } from '../support/local/assembly.ts';
import { createClient, receive } from '../support/local/clients.ts';

let run: TestRun;
let scheduler: SchedulerClient;

beforeAll(async () => {
  run = await startTestRun({
    resources: {
      Target: { Type: 'AWS::SQS::Queue' },
      Unreached: { Type: 'AWS::SQS::Queue' },
      Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'retries' } },
    },
    outputs: {
      TargetUrl: { Value: { Ref: 'Target' } },
      UnreachedUrl: { Value: { Ref: 'Unreached' } },
      Group: { Value: { Ref: 'Group' } },
      UnreachedArn: { Value: { 'Fn::GetAtt': ['Unreached', 'Arn'] } },
      TargetArn: { Value: { 'Fn::GetAtt': ['Target', 'Arn'] } },
    },
  });
  scheduler = createClient(SchedulerClient, run.aws);
});

afterAll(() => run.stop());

describe('Scheduler in the embedded run', () => {
  const schedule = (Name: string, Arn: string | undefined, Input = '{}') => ({
    Name,
    ScheduleExpression: 'rate(1 hour)',
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: {
      Arn,
      RoleArn: EVERYTHING_ROLE,
      Input,
      DeadLetterConfig: { Arn: run.outputs.UnreachedArn },
    },
  });

  it('sends the input of the schedule to a queue', async () => {
    const input = '{"integration":"i1"}';
    await scheduler.send(new CreateScheduleCommand(schedule('now', run.outputs.TargetArn, input)));
    const [message] = await receive(run.outputs.TargetUrl);
    expect(message?.Body).toBe(input);
    await scheduler.send(new DeleteScheduleCommand({ Name: 'now' }));
    await expect(scheduler.send(new GetScheduleCommand({ Name: 'now' }))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });

  it("sends to the target's dead-letter queue what reaches no queue", async () => {
    const nobody = 'arn:aws:sqs:us-east-1:000000000000:nobody';
    await scheduler.send(new CreateScheduleCommand(schedule('lost', nobody)));
    expect((await receive(run.outputs.UnreachedUrl)).map(({ Body }) => Body)).toEqual(['{}']);
  });

  it('creates once for one client token, and refuses the name to another', async () => {
    const StartDate = new Date(Date.now() + 3_600_000);
    const input = { ...schedule('hourly', run.outputs.TargetArn), StartDate };
    const first = await scheduler.send(new CreateScheduleCommand({ ...input, ClientToken: 't' }));
    const again = await scheduler.send(new CreateScheduleCommand({ ...input, ClientToken: 't' }));
    expect(again.ScheduleArn).toBe(first.ScheduleArn);
    await expect(scheduler.send(new CreateScheduleCommand(input))).rejects.toThrow(
      expect.objectContaining({ name: 'ConflictException' }),
    );
  });

  it('gives and lists the schedules of a group', async () => {
    const StartDate = new Date(Date.now() + 3_600_000);
    const GroupName = run.outputs.Group;
    const input = { ...schedule('grouped', run.outputs.TargetArn), GroupName, StartDate };
    await scheduler.send(new CreateScheduleCommand(input));
    const read = await scheduler.send(new GetScheduleCommand({ GroupName, Name: 'grouped' }));
    expect(read).toMatchObject({ State: 'ENABLED', StartDate, Target: input.Target });
    const { Schedules } = await scheduler.send(new ListSchedulesCommand({ GroupName }));
    expect(Schedules?.map(({ Name }) => Name)).toEqual(['grouped']);
  });

  it.each(['cron(0 * * * ? *)', 'at(2026-11-20T12:20:00)', 'rate(0 hours)', 'whenever'])(
    'refuses %s',
    async (ScheduleExpression) => {
      const input = { ...schedule('wrong', run.outputs.TargetArn), ScheduleExpression };
      const creating = scheduler.send(new CreateScheduleCommand(input));
      await expect(creating).rejects.toThrow(
        /Invalid Schedule Expression .* emulates rate\(\) alone/,
      );
    },
  );

  it('refuses a name that AWS refuses', async () => {
    const input = schedule('no spaces', run.outputs.TargetArn);
    const creating = scheduler.send(new CreateScheduleCommand(input));
    await expect(creating).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });
});
