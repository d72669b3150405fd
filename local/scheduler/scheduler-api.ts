import { arn } from '../arn.ts';
import { AwsError, jsonAnswer } from '../aws/answers.ts';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import { parseName, parseScheduleDefinition } from './schedule-definition.ts';
import type { Schedule, ScheduleGroup, Schedules } from './schedules.ts';

/** The REST-JSON protocol of EventBridge Scheduler. */
export const answerSchedulerRequest = (request: HttpRequest, schedules: Schedules): HttpAnswer => {
  const [, collection, encodedName] = request.path.split('/');
  const name = encodedName ? parseName(decodeName(encodedName)) : '';
  const operation = `${request.method} /${collection}${name && '/{Name}'}`;
  const answer = OPERATIONS[operation];
  if (!answer) {
    throw new AwsError('UnknownOperationException', `${operation} is not emulated.`, 404);
  }
  return jsonAnswer(answer(schedules, name, request));
};

type Operation = (schedules: Schedules, name: string, request: HttpRequest) => unknown;

const OPERATIONS: Record<string, Operation> = {
  'POST /schedules/{Name}': (schedules, name, request) => ({
    ScheduleArn: schedules.create(definitionIn(request, name)).arn,
  }),
  'PUT /schedules/{Name}': (schedules, name, request) => ({
    ScheduleArn: schedules.update(definitionIn(request, name)).arn,
  }),
  'GET /schedules/{Name}': (schedules, name, { query }) =>
    scheduleOutput(schedules.get(query.get('groupName') ?? 'default', name)),
  'DELETE /schedules/{Name}': (schedules, name, { query }) => {
    schedules.delete(query.get('groupName') ?? 'default', name);
    return {};
  },
  'GET /schedules': (schedules, _name, { query }) => {
    const group = query.get('ScheduleGroup');
    const matching = schedules
      .list()
      .filter(({ definition }) => !group || definition.GroupName === group)
      .filter(({ definition }) => definition.Name.startsWith(query.get('NamePrefix') ?? ''))
      .filter(({ definition }) => !query.get('State') || definition.State === query.get('State'));
    const { page, ...rest } = paginate(matching, query);
    return { Schedules: page.map(scheduleSummary), ...rest };
  },
  'POST /schedule-groups/{Name}': (schedules, name) => ({
    ScheduleGroupArn: groupArn(schedules.createGroup(name).name),
  }),
  'GET /schedule-groups/{Name}': (schedules, name) => groupOutput(schedules.group(name)),
  'DELETE /schedule-groups/{Name}': (schedules, name) => {
    schedules.deleteGroup(name);
    return {};
  },
  'GET /schedule-groups': (schedules, _name, { query }) => {
    const matching = schedules
      .groups()
      .filter(({ name }) => name.startsWith(query.get('NamePrefix') ?? ''));
    const { page, ...rest } = paginate(matching, query);
    return { ScheduleGroups: page.map(groupOutput), ...rest };
  },
};

const definitionIn = ({ body }: HttpRequest, Name: string) => {
  try {
    return parseScheduleDefinition({ ...JSON.parse(body.toString()), Name });
  } catch (error) {
    if (error instanceof AwsError) throw error;
    throw new AwsError('ValidationException', 'The body is not JSON.');
  }
};

const decodeName = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/** The token is the number of items already given. */
const paginate = <Item>(items: Item[], query: URLSearchParams) => {
  const from = Number(query.get('NextToken')) || 0;
  const to = from + Math.min(Number(query.get('MaxResults')) || 100, 100);
  return { page: items.slice(from, to), ...(to < items.length && { NextToken: String(to) }) };
};

const scheduleOutput = ({ arn, definition, createdAt, modifiedAt }: Schedule) => {
  const { ClientToken: _clientToken, ...shown } = definition;
  return { Arn: arn, ...shown, ...datesOutput(createdAt, modifiedAt) };
};

const scheduleSummary = ({ arn, definition, createdAt, modifiedAt }: Schedule) => ({
  Arn: arn,
  Name: definition.Name,
  GroupName: definition.GroupName,
  State: definition.State,
  Target: { Arn: definition.Target.Arn },
  ...datesOutput(createdAt, modifiedAt),
});

const groupOutput = ({ name, createdAt }: ScheduleGroup) => ({
  Arn: groupArn(name),
  Name: name,
  State: 'ACTIVE',
  ...datesOutput(createdAt, createdAt),
});

const groupArn = (name: string): string => arn('scheduler', `schedule-group/${name}`);

const datesOutput = (createdAt: number, modifiedAt: number) => ({
  CreationDate: createdAt / 1_000,
  LastModificationDate: modifiedAt / 1_000,
});
