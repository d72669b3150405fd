import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';

/** In the project, whose packages the code imports. */
const FOLDER = '.local/events-page';

/** Only the run on the emulator has a Python with boto3. */
const python = process.env.TOOLS_PYTHON;

const LANGUAGES = [
  {
    language: 'js',
    command: process.execPath,
    file: 'send.mjs',
    main: `
const { one, batch } = JSON.parse(process.argv[2]);
if (one) await sendEvent(one);
console.log(JSON.stringify(await sendEvents(batch)));`,
  },
  {
    language: 'python',
    command: python ?? '',
    file: 'send.py',
    main: `
import sys

given = json.loads(sys.argv[1])
if given.get("one"):
    send_event(given["one"])
print(json.dumps(send_events(given["batch"])))`,
  },
];

const service = inject('service');
const receiver = await receiverOfFile();

/** Answers that two events of a batch were not taken. */
const startFullQueue = async () => {
  const Failed = ['2', '7'].map((Id) => ({ Id, Code: 'InternalError', SenderFault: false }));
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('Content-Type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify({ Successful: [], Failed }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe.each(LANGUAGES)('The code of docs/operators/events.md in $language', (program) => {
  const { language, command, file, main } = program;

  beforeAll(async () => {
    const page = await readFile('docs/operators/events.md', 'utf8');
    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/${file}`, fencedBlocks(page, language).join('') + main);
  });

  const run = async (given: object, queueUrl: string, endpoint = service.aws): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(
      command,
      [`${FOLDER}/${file}`, JSON.stringify(given)],
      {
        env: {
          ...process.env,
          EVENTS_QUEUE_URL: queueUrl,
          AWS_ENDPOINT_URL: endpoint,
          AWS_REGION: service.region,
          AWS_DEFAULT_REGION: service.region,
          AWS_ACCESS_KEY_ID: 'test',
          AWS_SECRET_ACCESS_KEY: 'test',
        },
      },
    );
    return JSON.parse(stdout);
  };
  const test = it.skipIf(command === '');

  test('sends one event, and a batch of ten', async () => {
    const webhook = await CustomerWebhook.at(receiver, `/events-page/${language}`);
    const [one, ...batch] = webhook.customer.sampleEvents(11);

    expect(await run({ one, batch }, service.eventsQueueUrl)).toEqual([]);
    await webhook.deliveries.each([one, ...batch].filter((event) => event !== undefined));
  });

  test('returns the events that were not taken', async () => {
    const { server, origin } = await startFullQueue();
    const batch = Array.from({ length: 10 }, (_, index) => ({ id: `evt_${index}`, account: 'a' }));

    const left = await run({ batch }, `${origin}/111122223333/events`, origin);

    server.close();
    expect(left).toEqual([batch[2], batch[7]]);
  });
});
