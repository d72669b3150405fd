import type { Command } from 'commander';
import type { CommandProcess, Perform } from '../command.ts';
import { fields, table } from '../layout.ts';
import { isKnown, type QueueStatus, type StageStatus } from '../stage-status.ts';

const STATUS_HELP = `
Counts are SQS's own, some seconds late. OLDEST is the age of the oldest message, as CloudWatch saw it
last; it leaves out messages that were received more than three times. CloudWatch tells of alarms,
too: the embedded run has none.

Examples:
  npm run admin -- stage status --stage prod
  npm run --silent admin -- stage status --stage prod --json`;

const VERIFY_HELP = `
For the time after a deployment: looks at the stacks, calls the API, the console and the sign-in page
from this machine, sends an event to the canary and waits up to a minute for its delivery, and looks
for queues and streams that no function reads, for alarms that notify nobody, for dead letters and,
in a sample, for integrations in trouble without a schedule.
Each check has its own time; one that fails hides no other. The exit code is 1 if a check failed.

Examples:
  npm run admin -- stage verify --stage dev
  npm run --silent admin -- stage verify --stage dev --json`;

const SCHEDULES_HELP = `
For the time after a restore, or in another region: an integration that is waiting, busy or failed is
helped by its hourly schedule alone. The first run is an hour later. Schedules that exist stay as they
are, so the command can be repeated.

Example:
  npm run admin -- stage make-schedules --stage prod`;

export const addStageCommands = (program: Command, perform: Perform, io: CommandProcess): void => {
  const stage = program
    .command('stage')
    .description('show how a stage is, and verify it')
    .addHelpText('after', '\nExample:\n  npm run admin -- stage status --stage prod');
  addStatus(stage, perform, io);
  addMakeSchedules(stage, perform);
  stage
    .command('verify')
    .description('check from outside that every part of a stage works')
    .addHelpText('after', VERIFY_HELP)
    .action((_options: object, command: Command) =>
      perform(command, async (connection) => {
        const { stage, place } = connection.target;
        const checks = await connection.verify(io);
        const failed = checks.filter(({ result }) => result === 'failed').length;
        return {
          document: { stage, place, checks },
          lines: [
            ...fields({ stage, place }),
            '',
            ...table(
              ['CHECK', 'RESULT', 'DETAIL'],
              checks.map(({ check, result, detail }) => [check, result, detail]),
            ),
            '',
            failed === 0 ? 'No check failed.' : `${failed} of ${checks.length} checks failed.`,
          ],
          isFailure: failed > 0,
        };
      }),
    );
};

const addMakeSchedules = (parent: Command, perform: Perform): void => {
  parent
    .command('make-schedules')
    .description('make the missing schedules of all integrations in trouble')
    .addHelpText('after', SCHEDULES_HELP)
    .action((_options: object, command: Command) =>
      perform(command, async (connection) => {
        const { stage, place } = connection.target;
        const { made, existed } = await (await connection.troubleSchedules()).make();
        return {
          document: { stage, place, made, existed },
          lines: [`Schedules made: ${made}. Existed: ${existed}.`],
        };
      }),
    );
};

const addStatus = (parent: Command, perform: Perform, { now }: CommandProcess): void => {
  parent
    .command('status')
    .description('show the version, the queues and the alarms of a stage')
    .addHelpText('after', STATUS_HELP)
    .action((_options: object, command: Command) =>
      perform(command, async (connection) => {
        const { stage, place } = connection.target;
        const status = await connection.status(now());
        return {
          document: { stage, place, ...statusDocument(status) },
          lines: [...fields({ stage, place }), '', ...statusLines(status)],
        };
      }),
    );
};

const statusDocument = ({ stacks, queues, ages, alarms }: StageStatus) => ({
  stacks: stacks.map(({ name, status, updatedAt, outputs }) => ({
    name,
    status,
    updatedAt: updatedAt?.toISOString(),
    version: outputs.Version,
  })),
  queues,
  ...(!isKnown(ages) && { ages }),
  alarms: isKnown(alarms)
    ? alarms.map(({ since, ...alarm }) => ({ ...alarm, since: since?.toISOString() }))
    : alarms,
});

const statusLines = ({ stacks, queues, ages, alarms }: StageStatus): string[] => [
  ...table(
    ['STACK', 'STATUS', 'UPDATED', 'VERSION'],
    stacks.map(({ name, status, updatedAt, outputs }) => [
      name,
      status,
      updatedAt?.toISOString() ?? '-',
      outputs.Version ?? '-',
    ]),
  ),
  '',
  ...table(
    ['QUEUE', 'VISIBLE', 'IN FLIGHT', 'DELAYED', 'OLDEST'],
    queues.map((queue) => [
      `${queue.queue}${queue.isDeadLetterQueue ? ' (dead letters)' : ''}`,
      String(queue.visible),
      String(queue.inFlight),
      String(queue.delayed),
      ageOf(queue),
    ]),
  ),
  ...(isKnown(ages) ? [] : [`Ages are not known (${ages.unavailable}).`]),
  '',
  ...(isKnown(alarms) ? alarmLines(alarms) : [`Alarms are not known (${alarms.unavailable}).`]),
];

const ageOf = ({ oldestSeconds }: QueueStatus): string =>
  oldestSeconds === undefined ? '-' : `${Math.round(oldestSeconds)} s`;

const alarmLines = (alarms: Extract<StageStatus['alarms'], readonly unknown[]>): string[] => {
  const raised = alarms.filter(({ state }) => state === 'ALARM');
  const unsure = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
  const rest = `${alarms.length - raised.length} of ${alarms.length} alarms are quiet`;
  return [
    `${rest}${unsure > 0 ? `, ${unsure} of them without data` : ''}.`,
    ...raised.flatMap(({ name, since, meaning }) => [
      `ALARM since ${since?.toISOString() ?? 'unknown'}  ${name}`,
      `  ${meaning}`,
    ]),
  ];
};
