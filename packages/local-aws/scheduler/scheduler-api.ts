import { AwsError, type AwsRequest, jsonAnswer } from '../aws/aws-request.ts';
import type { HttpAnswer } from '../http-server.ts';
import { parseName, parseScheduleDefinition } from './schedule-definition.ts';
import type { Schedules } from './schedules.ts';

/** Answers a request to EventBridge Scheduler (REST-JSON protocol). Throws AwsError. */
export const answerSchedulerRequest = (request: AwsRequest, schedules: Schedules): HttpAnswer => {
  const [, collection, wantedName] = request.path.split('/');
  const name = wantedName ? parseName(wantedName) : '';
  const operation = `${request.method} /${collection}${name && '/{Name}'}`;
  const answer = OPERATIONS[operation];
  if (!answer) {
    throw new AwsError('UnknownOperationException', `${operation} is not emulated.`, 404);
  }
  return jsonAnswer(answer(schedules, name, request));
};

type Operation = (schedules: Schedules, name: string, request: AwsRequest) => unknown;

const OPERATIONS: Record<string, Operation> = {
  'POST /schedules/{Name}': (schedules, name, request) => ({
    ScheduleArn: schedules.create(definitionIn(request, name)).arn,
  }),
  'GET /schedules/{Name}': (schedules, name, { query }) => {
    const schedule = schedules.get(query.get('groupName') ?? 'default', name);
    const { ClientToken: _clientToken, ...shown } = schedule.definition;
    return { Arn: schedule.arn, ...shown };
  },
  'PUT /schedules/{Name}': (schedules, name, request) => ({
    ScheduleArn: schedules.update(definitionIn(request, name)).arn,
  }),
  'DELETE /schedules/{Name}': (schedules, name, { query }) => {
    schedules.delete(query.get('groupName') ?? 'default', name);
    return {};
  },
  'GET /schedules': (schedules, _name, { query }) => {
    const group = query.get('ScheduleGroup');
    const prefix = query.get('NamePrefix') ?? '';
    const listed = schedules
      .list()
      .filter(({ definition }) => group === null || definition.GroupName === group)
      .filter(({ definition }) => definition.Name.startsWith(prefix));
    const start = Number(query.get('NextToken') ?? 0);
    const end = start + Number(query.get('MaxResults') ?? 100);
    const summaries = listed
      .slice(start, end)
      .map(({ arn, definition: { GroupName, Name, State } }) => ({
        Arn: arn,
        GroupName,
        Name,
        State,
      }));
    return { Schedules: summaries, ...(end < listed.length && { NextToken: `${end}` }) };
  },
};

const definitionIn = ({ body }: AwsRequest, Name: string) => {
  try {
    return parseScheduleDefinition({ ...JSON.parse(body.toString()), Name });
  } catch (error) {
    if (error instanceof AwsError) throw error;
    throw new AwsError('ValidationException', 'The body is not JSON.');
  }
};
