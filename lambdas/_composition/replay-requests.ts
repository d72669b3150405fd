import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { SqsReplayRequests } from '../../adapters/sqs/sqs-replay-requests.ts';

export const composeReplayRequests = (
  environment: { REPLAY_QUEUE_URL: string },
  client: SQSClient,
) =>
  new SqsReplayRequests(client, environment.REPLAY_QUEUE_URL, { newDeduplicationId: randomUUID });
