import type { BuildAppOptions } from 'fauxqs';

export type SqsStore = NonNullable<BuildAppOptions['stores']>['sqsStore'];
export type SqsQueue = ReturnType<SqsStore['createQueue']>;
export type ReceivedMessage = ReturnType<SqsQueue['dequeue']>[number];

interface StoreClass {
  new (): SqsStore;
  createMessage(body: string): Parameters<SqsQueue['enqueue']>[0];
}

/** fauxqs exports none of these files; test/contract/local-fauxqs.test.ts pins what they do. */
const internal = (file: string) =>
  import(new URL(`../../node_modules/fauxqs/dist/sqs/${file}`, import.meta.url).href);

/**
 * fauxqs takes a store of its caller's but does not export the class. Reading a queue in this
 * process, instead of polling it over HTTP, is what the event source mappings live on.
 */
export const { SqsStore: Store }: { SqsStore: StoreClass } = await internal('sqsStore.js');

const { INVALID_MESSAGE_BODY_CHAR }: { INVALID_MESSAGE_BODY_CHAR: RegExp } =
  await internal('sqsTypes.js');

/** By code points, as SQS has it. */
const REFUSED_BY_SQS = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** fauxqs 2.4.1 looks at UTF-16 halves, and so refuses every character beyond U+FFFF: emoji. */
INVALID_MESSAGE_BODY_CHAR.test = (text) => REFUSED_BY_SQS.test(text);
