import type { BuildAppOptions } from 'fauxqs';

export type SqsStore = NonNullable<BuildAppOptions['stores']>['sqsStore'];
export type SqsQueue = ReturnType<SqsStore['createQueue']>;
export type ReceivedMessage = ReturnType<SqsQueue['dequeue']>[number];

interface StoreClass {
  new (): SqsStore;
  createMessage(body: string): Parameters<SqsQueue['enqueue']>[0];
}

/** fauxqs does not export these files; test/contract/local-fauxqs.test.ts pins their behaviour. */
const internal = (file: string) =>
  import(new URL(`../../node_modules/fauxqs/dist/sqs/${file}`, import.meta.url).href);

/**
 * The class of fauxqs' store. A caller may give fauxqs a store, but fauxqs does not export the
 * class. With a store of our own, event source mappings read queues in this process, without HTTP.
 */
export const { SqsStore: Store }: { SqsStore: StoreClass } = await internal('sqsStore.js');

const { INVALID_MESSAGE_BODY_CHAR }: { INVALID_MESSAGE_BODY_CHAR: RegExp } =
  await internal('sqsTypes.js');

/** Characters that SQS refuses, by code points. */
const REFUSED_BY_SQS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** fauxqs 2.4.1 tests UTF-16 code units, and so refuses every character above U+FFFF: emoji. */
INVALID_MESSAGE_BODY_CHAR.test = (text) => REFUSED_BY_SQS.test(text);
