import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseEvent } from '../../core/event/event.ts';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import { anEvent } from '../support/event/platform-events.ts';

/** In the project, whose packages the code imports. */
const FOLDER = '.local/events-page';

const LANGUAGES = [
  {
    language: 'js',
    command: process.execPath,
    file: 'send.mjs',
    main: `
import { json } from 'node:stream/consumers';

const { one, batch } = await json(process.stdin);
if (one) await sendEvent(one);
console.log(JSON.stringify(await sendEvents(batch)));`,
  },
  {
    language: 'python',
    // Only the run on the emulator has a Python with boto3.
    command: process.env.TOOLS_PYTHON ?? '',
    file: 'send.py',
    main: `
given = json.load(sys.stdin)
if "one" in given:
    send_event(given["one"])
print(json.dumps(send_events(given["batch"])))`,
  },
];

interface SentEvent {
  readonly id: string;
  readonly account: string;
}
interface SentCall {
  readonly Entries: readonly { readonly MessageBody: string; readonly MessageGroupId: string }[];
}

/** SQS that takes no event whose id names a fault. */
const startFaultyQueue = async () => {
  const calls: SentEvent[][] = [];
  const server = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as SentCall;
    const events: SentEvent[] = Entries.map(({ MessageBody, MessageGroupId }) => ({
      ...JSON.parse(MessageBody),
      account: MessageGroupId,
    }));
    calls.push(events);
    const Failed = events.flatMap(({ id }, index) =>
      /internal|refused/.test(id)
        ? [{ Id: `${index}`, Code: 'AnError', SenderFault: id.startsWith('refused') }]
        : [],
    );
    const isDenied = events.some(({ id }) => id.startsWith('denied'));
    response.writeHead(isDenied ? 403 : 200, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify(isDenied ? { __type: 'AccessDenied' } : { Successful: [], Failed }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, calls, url: `${origin}/111122223333/events` };
};

/** Every code point, and each half of a surrogate pair by itself, in names and in texts. */
const eventsOfAllCodePoints = () => {
  const POINTS = 0x11_0000;
  const IN_EVENT = 0x4000;
  return Array.from({ length: POINTS / IN_EVENT }, (_, part) => {
    const points = Array.from({ length: IN_EVENT }, (__, index) => part * IN_EVENT + index);
    const text = points.map((point) => String.fromCodePoint(point)).join(' ');
    return anEvent({ id: `evt_${part}`, data: { [text.slice(-9)]: text } });
  });
};

const eventsOf = (ids: readonly string[], text = '') =>
  ids.map((id) => anEvent({ id, data: { text } }));

const numbered = (count: number, name = 'evt') =>
  Array.from({ length: count }, (_, index) => `${name}_${index}`);

const queues = useQueues();

describe.each(LANGUAGES)('The code of docs/operators/events.md in $language', (program) => {
  const { language, command, file, main } = program;

  beforeAll(async () => {
    const page = await readFile('docs/operators/events.md', 'utf8');
    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/${file}`, fencedBlocks(page, language).join('') + main);
  });

  const run = async (given: object, queueUrl: string): Promise<unknown> => {
    const child = spawn(command, [`${FOLDER}/${file}`], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        EVENTS_QUEUE_URL: queueUrl,
        AWS_ENDPOINT_URL: new URL(queueUrl).origin,
        AWS_REGION: 'eu-central-1',
        AWS_DEFAULT_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
    });
    child.stdin.end(JSON.stringify(given));
    return JSON.parse(await text(child.stdout));
  };

  const bodiesIn = async (queueUrl: string): Promise<string[]> =>
    (await queues.drain(queueUrl)).map(({ Body = '' }) => Body);

  /** The emulator names a host that only some resolvers know. */
  const createQueue = async (): Promise<string> => {
    const { hostname, port } = (await queues.client.config.endpoint?.()) ?? {};
    const { pathname } = new URL(await queues.createQueue());
    return `http://${hostname}:${port}${pathname}`;
  };

  const test = it.skipIf(command === '');

  test('sends one event, and more than fit into a call', async () => {
    const queueUrl = await createQueue();
    const [one, ...small] = eventsOf(numbered(25));
    const large = eventsOf(numbered(10, 'large'), 'é'.repeat(75_000));
    const [tooLarge] = eventsOf(['too_large'], 'x'.repeat(1_048_576));
    const batch = [...large, tooLarge, ...small];

    expect(await run({ one, batch }, queueUrl)).toEqual({ again: [], refused: [tooLarge] });
    const received = (await bodiesIn(queueUrl)).map(parseEvent);
    expect(new Set(received)).toEqual(new Set([one, ...small, ...large]));
  });

  test('sends every character that JSON has', async () => {
    const queueUrl = await createQueue();
    const batch = eventsOfAllCodePoints();

    expect(await run({ batch }, queueUrl)).toEqual({ again: [], refused: [] });
    const received = (await bodiesIn(queueUrl)).map((body) => JSON.parse(body));
    const byId = new Map(received.map((event) => [event.id, event]));
    expect(
      batch.filter((event) => JSON.stringify(byId.get(event.id)) !== JSON.stringify(event)),
    ).toEqual([]);
  });

  test('returns the events that were not taken, with those to send again', async () => {
    const { server, calls, url } = await startFaultyQueue();
    const ids = [...numbered(8), 'internal_1', 'refused_1', 'denied_1', ...numbered(9, 'lost')];
    const batch = eventsOf([...ids, 'internal_2', 'last']);

    const left = await run({ batch }, url);

    server.close();
    expect(left).toEqual({
      again: eventsOf(['internal_1', 'denied_1', ...numbered(9, 'lost'), 'internal_2']),
      refused: eventsOf(['refused_1']),
    });
    expect(calls.flat()).toEqual(batch);
  });
});
