import type { IncomingHttpHeaders } from 'node:http';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { BuildAppOptions } from 'fauxqs';

export type SqsStore = NonNullable<BuildAppOptions['stores']>['sqsStore'];
export type SqsQueue = ReturnType<SqsStore['createQueue']>;
export type SqsMessage = Parameters<SqsQueue['enqueue']>[0];
export type ReceivedMessage = ReturnType<SqsQueue['dequeue']>[number];

interface StoreClass {
  new (): SqsStore;
  createMessage(
    body: string,
    messageAttributes?: object,
    delaySeconds?: number,
    messageGroupId?: string,
  ): SqsMessage;
}

interface SqsError extends Error {
  readonly statusCode: number;
  readonly queryErrorHeader: string;
  toJSON(): object;
}

/** Answers one operation of SQS. Throws SqsError, or something else when the input is malformed. */
type SqsAction = (
  input: unknown,
  store: SqsStore,
  request: { readonly headers: IncomingHttpHeaders },
) => unknown;

const PACKAGE = dirname(findPackageJSON('fauxqs', import.meta.url) ?? '');

/** fauxqs does not export these files. The contract tests of the queues run on them. */
const internal = (file: string) => import(join(PACKAGE, 'dist', file));

/** Used in this process, without fauxqs' server and HTTP. */
export const { SqsStore: Store }: { SqsStore: StoreClass } = await internal('sqs/sqsStore.js');

export const { SqsError }: { SqsError: new (code: string, message: string) => SqsError } =
  await internal('common/errors.js');

const OPERATIONS = [
  'ChangeMessageVisibility',
  'ChangeMessageVisibilityBatch',
  'CreateQueue',
  'DeleteMessage',
  'DeleteMessageBatch',
  'DeleteQueue',
  'GetQueueAttributes',
  'GetQueueUrl',
  'ListQueueTags',
  'ListQueues',
  'PurgeQueue',
  'ReceiveMessage',
  'SendMessage',
  'SendMessageBatch',
  'SetQueueAttributes',
  'TagQueue',
  'UntagQueue',
];

const loadAction = async (operation: string): Promise<[string, SqsAction]> => {
  const name = `${operation[0]?.toLowerCase()}${operation.slice(1)}`;
  return [operation, (await internal(`sqs/actions/${name}.js`))[name]];
};

export const sqsActions: ReadonlyMap<string, SqsAction> = new Map(
  await Promise.all(OPERATIONS.map(loadAction)),
);

const { INVALID_MESSAGE_BODY_CHAR }: { INVALID_MESSAGE_BODY_CHAR: RegExp } =
  await internal('sqs/sqsTypes.js');

/** Characters that SQS refuses, by code points. */
const REFUSED_BY_SQS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** fauxqs 2.4.1 tests UTF-16 code units, and so refuses every character above U+FFFF: emoji. */
INVALID_MESSAGE_BODY_CHAR.test = (text) => REFUSED_BY_SQS.test(text);
