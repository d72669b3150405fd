// The process of one Lambda sandbox: calls the bundled handler with one batch after the other.
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { sqsEvent } from 'local-aws/event-sources/event-source-mapping.ts';
import { deliveryMessage } from '../../core/delivery/delivery-queue.ts';
import { createDelivery } from '../../core/delivery/route-event.ts';
import { serveParent, settingsOfChild } from '../child.ts';
import { typicalEvent } from '../events.ts';
import { BENCHED_KEY, cpuSecondsOf, type Round, type RoundRequest } from './round.ts';

export interface FunctionProcessSettings {
  readonly file: string;
  readonly handler: string;
  readonly queueArn: string;
  readonly bodyBytes: number;
  readonly batchSize: number;
}

const settings = settingsOfChild<FunctionProcessSettings>();
const { account, id: integration } = BENCHED_KEY;
let made = 0;

const newMessage = () => {
  made += 1;
  const event = typicalEvent(made, { account, bodyBytes: settings.bodyBytes });
  const { body, attributes } = deliveryMessage(createDelivery(event, integration));
  const now = String(Date.now());
  return {
    MessageId: randomUUID(),
    ReceiptHandle: randomUUID(),
    Body: body,
    MD5OfBody: '',
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, StringValue]) => [
        name,
        { DataType: 'String', StringValue },
      ]),
    ),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: now,
      SenderId: 'bench',
      ApproximateFirstReceiveTimestamp: now,
      MessageGroupId: account,
    },
  };
};

const newBatch = (): SQSEvent =>
  sqsEvent(Array.from({ length: settings.batchSize }, newMessage), settings.queueArn);

const context = () => {
  const deadlineAt = Date.now() + 45_000;
  return {
    awsRequestId: randomUUID(),
    functionName: 'deliver-webhook',
    getRemainingTimeInMillis: () => deadlineAt - Date.now(),
  };
};

type Handler = (batch: SQSEvent, context: unknown) => Promise<SQSBatchResponse>;

const bundle: Record<string, Handler> = await import(pathToFileURL(settings.file).href);
const handle = bundle[settings.handler];
if (!handle) throw new Error(`The bundle has no handler ${settings.handler}.`);

/** Warnings and errors of the function. */
let errors: string[] = [];
process.stderr.write = (line) => errors.push(String(line)) > 0;

const runRound = async ({ deliveries }: RoundRequest): Promise<Round> => {
  errors = [];
  const batches = Array.from({ length: deliveries / settings.batchSize }, newBatch);
  let failed = 0;
  const work = async () => {
    for (const batch of batches) {
      failed += (await handle(batch, context())).batchItemFailures.length;
    }
  };
  return { cpuS: await cpuSecondsOf(work), failed, errors };
};

serveParent({}, runRound);
