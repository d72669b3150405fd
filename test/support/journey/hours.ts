import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetScheduleCommand,
  ListSchedulesCommand,
  type ListSchedulesCommandInput,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { eventually } from './platform.ts';
import { awsClientConfigOf } from './platform-of.ts';

type Place = Pick<Endpoints, 'aws' | 'region'>;

interface Subject {
  readonly customer: { readonly account: string };
  readonly bareId: string;
}

/** Hours of the service under test are as long as any, and are over when a test ends them. */
export interface Hours {
  /**
   * Ends the hour of an integration in trouble: its schedule fires, and its latest hourly retry counts
   * as an hour old. Does nothing to an integration without a schedule.
   */
  endHour(integration: Subject): Promise<void>;
  /** Ends hours, each when the retries of the hour before are made, until the condition holds. */
  passHoursUntil(integration: Subject, isMet: () => Promise<boolean>): Promise<void>;
}

/** @param outputs of the stacks. */
export const hoursOf = (
  place: Place,
  outputs: Promise<Readonly<Record<string, string>>>,
): Hours => {
  const config = awsClientConfigOf(place);
  const tables = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  const queues = new SQSClient(config);

  const forgetClaim = async ({ customer: { account }, bareId: id }: Subject): Promise<void> => {
    const forget = new UpdateCommand({
      TableName: (await outputs).IntegrationsTableName,
      Key: { account, id },
      UpdateExpression: 'REMOVE trouble.claimedAt',
      ConditionExpression: 'attribute_exists(trouble)',
    });
    await ignoring(ConditionalCheckFailedException, tables.send(forget));
  };

  const endHour = async (integration: Subject): Promise<void> => {
    await forgetClaim(integration);
    await fireSchedules(place, { NamePrefix: `${integration.bareId}-` });
  };

  const hasRetries = async (): Promise<boolean> => {
    const ask = new GetQueueAttributesCommand({
      QueueUrl: (await outputs).RetryQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    });
    const { Attributes = {} } = await queues.send(ask);
    return Object.values(Attributes).some((count) => count !== '0');
  };

  return {
    endHour,
    passHoursUntil: async (integration, isMet) => {
      const look = async (): Promise<boolean> => {
        if (await isMet()) return true;
        if (!(await hasRetries())) await endHour(integration);
        return false;
      };
      await eventually(look, (met) => met);
    },
  };
};

/**
 * Fires schedules now, as AWS itself does it: an update replaces the whole definition of a schedule, and
 * a rate without a start date begins at once.
 */
export const fireSchedules = async (
  place: Place,
  which: Pick<ListSchedulesCommandInput, 'GroupName' | 'NamePrefix'>,
): Promise<void> => {
  const scheduler = new SchedulerClient(awsClientConfigOf(place));
  const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand(which));
  for (const { GroupName, Name } of Schedules) {
    const fire = async (): Promise<void> => {
      const get = new GetScheduleCommand({ GroupName, Name });
      const { ScheduleExpression, Target } = await scheduler.send(get);
      const definition = {
        ScheduleExpression,
        Target,
        FlexibleTimeWindow: { Mode: 'OFF' },
      } as const;
      await scheduler.send(new UpdateScheduleCommand({ GroupName, Name, ...definition }));
    };
    // The service removes the schedule of a trouble that ends meanwhile.
    await ignoring(ResourceNotFoundException, fire());
  }
};

const ignoring = async (
  Exception: typeof ConditionalCheckFailedException | typeof ResourceNotFoundException,
  call: Promise<unknown>,
): Promise<void> => {
  try {
    await call;
  } catch (fault) {
    if (!(fault instanceof Exception)) throw fault;
  }
};
