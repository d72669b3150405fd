import type { Stack } from '../../adapters/cloudformation/stacks.ts';
import type { StageAlarm } from '../../adapters/cloudwatch/stage-metrics.ts';
import { AdministrationError } from '../../core/refusal.ts';
import type { EventSource } from '../event-sources.ts';
import type { TroubleSchedules } from '../retry-schedules.ts';
import type { DeadLetterQueues } from '../stage-queues.ts';
import type { Check } from './check.ts';

export interface AwsPorts {
  stacks(): Promise<readonly Pick<Stack, 'name' | 'status' | 'outputs'>[]>;
  alarms(): Promise<readonly Pick<StageAlarm, 'name' | 'actions'>[]>;
  confirmedSubscriptions(topicArn: string): Promise<number>;
  /** Whether somebody has to hear the alarms of the stage. */
  readonly mustBeHeard: boolean;
  eventSources(): Promise<readonly EventSource[]>;
  deadLetters(): Promise<Pick<DeadLetterQueues, 'names' | 'queue'>>;
  troubleSchedules(): Promise<Pick<TroubleSchedules, 'check'>>;
}

const COMPLETE = new Set(['CREATE_COMPLETE', 'UPDATE_COMPLETE']);

/** Checks of what AWS tells about the resources of a stage. */
export const awsChecks = (ports: AwsPorts): readonly Check[] => {
  const alarms = alarmsOnce(ports);
  return [
    stacksCheck(ports),
    eventSourcesCheck(ports),
    deadLettersCheck(ports),
    schedulesCheck(ports),
    {
      name: 'alarms',
      look: async () => {
        const found = await alarms();
        if (found.length === 0) return NO_ALARMS;
        const mute = found.filter(({ actions }) => actions.length === 0);
        if (mute.length === 0) return `all ${found.length} have an action`;
        const names = mute.map(({ name }) => name).join(', ');
        throw new AdministrationError(
          `${mute.length} of ${found.length} alarms have no action: ${names}`,
        );
      },
    },
    {
      name: 'alarm topic',
      look: async () => {
        const actions = (await alarms()).flatMap((alarm) => alarm.actions);
        const topics = [...new Set(actions)].filter((arn) => /^arn:[^:]+:sns:/.test(arn));
        if (topics.length === 0) return { absent: 'no alarm notifies a topic' };
        const counts = await Promise.all(
          topics.map((topic) => ports.confirmedSubscriptions(topic)),
        );
        const unheard = topics.filter((_, index) => counts[index] === 0);
        if (unheard.length === 0) {
          return topics.map((topic, index) => `${topic}: ${counts[index]} confirmed`).join(', ');
        }
        const detail = `without a confirmed subscription: ${unheard.join(', ')}`;
        if (ports.mustBeHeard) throw new AdministrationError(detail);
        return { absent: detail };
      },
    },
  ];
};

const NO_ALARMS = { absent: 'the stage has no alarms' };

/** Reads the alarms once for two checks. The embedded run, which has none, says so by an error. */
const alarmsOnce = (ports: AwsPorts): AwsPorts['alarms'] => {
  let reading: ReturnType<AwsPorts['alarms']> | undefined;
  return () => {
    reading ??= ports.alarms().catch(noneIfUnknown);
    return reading;
  };
};

const noneIfUnknown = (fault: unknown): readonly never[] => {
  if (fault instanceof Error && fault.name === 'UnknownOperationException') return [];
  throw fault;
};

const stacksCheck = ({ stacks }: AwsPorts): Check => ({
  name: 'stacks',
  look: async () => {
    const found = await stacks();
    const words = found.map(({ name, status }) => `${name}: ${status}`).join(', ');
    if (!found.every(({ status }) => COMPLETE.has(status))) throw new AdministrationError(words);
    const version = found.map(({ outputs }) => outputs.Version).find((text) => text !== undefined);
    return `${words}, version ${version}`;
  },
});

/**
 * A mapping that is disabled, gone or cannot read its stream invokes nothing: no metric and no alarm
 * tells of it.
 */
const eventSourcesCheck = ({ eventSources }: AwsPorts): Check => ({
  name: 'event sources',
  look: async () => {
    const sources = await eventSources().catch(noneIfUnknown);
    if (sources.length === 0) return { absent: 'nothing tells of mappings here' };
    const problems = sources.flatMap(problemsOf);
    if (problems.length === 0) return `each of ${sources.length} is read`;
    throw new AdministrationError(problems.join(', '));
  },
});

const problemsOf = ({ name, mappings }: EventSource): readonly string[] =>
  mappings.length === 0
    ? [`${name}: no mapping`]
    : mappings.flatMap(({ state, lastResult = '' }) => {
        if (state !== 'Enabled') return [`${name}: ${state}`];
        return lastResult.startsWith('PROBLEM') ? [`${name}: ${lastResult}`] : [];
      });

const deadLettersCheck = ({ deadLetters }: AwsPorts): Check => ({
  name: 'dead letters',
  look: async () => {
    const queues = await deadLetters();
    const counts = await Promise.all(
      (await queues.names()).map(async (name) => {
        const count = await (await queues.queue(name)).count();
        return { name, count };
      }),
    );
    const filled = counts.filter(({ count }) => count > 0);
    if (filled.length === 0) return `none in ${counts.length} queues`;
    throw new AdministrationError(filled.map(({ name, count }) => `${name}: ${count}`).join(', '));
  },
});

const NAMED_AT_MOST = 10;

const schedulesCheck = ({ troubleSchedules }: AwsPorts): Check => ({
  name: 'retry schedules',
  // A sample takes up to 40 seconds.
  limitMs: 120_000,
  look: async () => {
    const { inTrouble, without, percent } = await (await troubleSchedules()).check();
    const seen = `${inTrouble} integrations in trouble, in ${percent || 'less than 1'} % of the table,`;
    if (without.length === 0) return `each of ${seen} has one`;
    const named = without.slice(0, NAMED_AT_MOST).map(({ account, id }) => `${account}/${id}`);
    const more = without.length > named.length ? ` and ${without.length - named.length} more` : '';
    throw new AdministrationError(
      `${without.length} of ${seen} have none: ${named.join(', ')}${more}: run "stage make-schedules"`,
    );
  },
});
