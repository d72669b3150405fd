import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { AwsError, jsonError } from '../../aws/aws-request.ts';
import { startHttpServer } from '../../http-server.ts';
import { answerSchedulerRequest } from '../../scheduler/scheduler-api.ts';
import { type Clock, type Schedule, Schedules } from '../../scheduler/schedules.ts';

export interface EmulatedScheduler {
  readonly client: SchedulerClient;
  readonly schedules: Schedules;
  /** What its schedules have done, in order. */
  readonly fired: { schedule: Schedule; at: Date }[];
  now(): Date;
  /** Time stands still but for this. */
  passMinutes(minutes: number): void;
  stop(): Promise<void>;
}

/** Scheduler as the embedded run has it, on a port and with a clock of its own. */
export const startScheduler = async (): Promise<EmulatedScheduler> => {
  const clock = createClock(Date.parse('2026-11-20T12:00:00.000Z'));
  const fired: EmulatedScheduler['fired'] = [];
  const schedules = new Schedules({
    clock,
    hourSeconds: 3_600,
    fire: (schedule) => fired.push({ schedule, at: new Date(clock.now()) }),
  });
  const server = await startHttpServer({
    port: 0,
    portOption: '',
    maximumBodyBytes: 1_048_576,
    handle: async (request) => {
      try {
        return answerSchedulerRequest(request, schedules);
      } catch (error) {
        if (error instanceof AwsError) return jsonError(error);
        throw error;
      }
    },
  });
  const client = new SchedulerClient({
    endpoint: server.origin,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    client,
    schedules,
    fired,
    now: () => new Date(clock.now()),
    passMinutes: (minutes) => clock.pass(minutes * 60_000),
    stop: async () => {
      client.destroy();
      await server.close();
    },
  };
};

/** A clock that stands still but for `pass`. */
export const createClock = (startAt: number): Clock & { pass(durationMs: number): void } => {
  let now = startAt;
  const due = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now,
    after: (delayMs, callback) => {
      const timer = { at: now + delayMs, callback };
      due.add(timer);
      return () => due.delete(timer);
    },
    pass: (durationMs) => {
      const until = now + durationMs;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        due.delete(next);
        now = next.at;
        next.callback();
      }
      now = until;
    },
  };
};
