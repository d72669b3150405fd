import type { Message } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsDeadLetterQueue, SqsRedriveTarget } from '../../adapters/sqs/sqs-operator-queues.ts';
import {
  type DeadLetter,
  deliveryMessage,
  parseDeliveryMessage,
} from '../../core/delivery/delivery-queue.ts';
import { parseReplayMessage, replayMessage } from '../../core/delivery/pending/replay-requests.ts';
import { redriveLetters } from '../../core/delivery/sift-dead-letters.ts';
import { parseScheduleInput, scheduleInput } from '../../core/delivery/trouble/begin-trouble.ts';
import { type EmulatedQueues, startQueues } from '../support/adapters/emulated-queues.ts';
import first from '../support/formats/1.json' with { type: 'json' };

let queues: EmulatedQueues;
beforeAll(async () => {
  queues = await startQueues();
});
afterAll(() => queues.stop());

interface Text {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const plain = (body: string): Text => ({ body, attributes: {} });

const letterOf = ({ body, attributes }: Text): DeadLetter => ({
  text: body,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, stringValue]) => [
      name,
      { dataType: 'String', stringValue },
    ]),
  ),
});

const textOf = ({ Body = '', MessageAttributes = {} }: Message): Text => ({
  body: Body,
  attributes: Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
  ),
});

/** The message, once a function has put it among the dead letters and an operator has redriven it. */
const redriven = async (message: Text): Promise<Text> => {
  const [letters, source] = [await queues.createQueue(), await queues.createQueue()];
  await new SqsDeadLetters(queues.client, letters).add(letterOf(message), 'a fault since mended');
  await redriveLetters(
    new SqsDeadLetterQueue(queues.client, letters),
    new SqsRedriveTarget(queues.client, source),
    { choice: { reason: 'since mended' }, limit: 10 },
  );
  const [back] = await queues.drain(source);
  if (back === undefined) throw new Error('Nothing was redriven.');
  return textOf(back);
};

/** Each kind of message: as the latest release writes it, and the reader and writer of this version. */
const KINDS: readonly [kind: string, released: Text, read: (message: Text) => unknown, Text][] = [
  [
    'delivery',
    first.delivery,
    parseDeliveryMessage,
    deliveryMessage(parseDeliveryMessage(first.delivery)),
  ],
  [
    'replay request',
    plain(first.replayRequest),
    ({ body }) => parseReplayMessage(body),
    plain(replayMessage(parseReplayMessage(first.replayRequest))),
  ],
  [
    'hourly retry',
    plain(first.scheduleInput),
    ({ body }) => parseScheduleInput(body),
    plain(scheduleInput(parseScheduleInput(first.scheduleInput))),
  ],
];

describe.each(KINDS)('a dead letter that is a %s', (_kind, released, read, written) => {
  it('of the latest release is read by this version once it is redriven', async () => {
    const message = await redriven(released);

    expect(read(message)).toEqual(read(released));
  });

  it('of this version comes back, byte for byte, as the latest release writes and reads it', async () => {
    expect(await redriven(written)).toEqual(released);
  });
});
